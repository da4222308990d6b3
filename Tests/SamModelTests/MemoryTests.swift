import Foundation
import SamModel
import SamTensor
import Testing

/// Repeated work stops asking for memory.
struct MemoryTests {
  @Test(arguments: ["tiny", "lite"], [NetworkOptions.Precision.float32, .automatic])
  func aWarmNetworkAllocatesNothing(model: String, precision: NetworkOptions.Precision) throws {
    // One thread: with several, how many buffers are out at once depends on luck.
    let network = try TestNetworks.make(model, NetworkOptions(precision: precision, threads: 1))
    let picture = drawnPicture(width: 300, height: 200)
    func work() throws {
      let embedding = try network.encode(picture)
      for prompt in Self.prompts { _ = try network.decode(embedding, prompts: [prompt]) }
    }
    for _ in 0..<3 { try work() }
    let allocations = network.context.pool.allocationCount
    #expect(allocations > 0)
    for _ in 0..<5 { try work() }
    #expect(network.context.pool.allocationCount == allocations)
  }

  #if os(Linux)
    // In a process of its own: the resident set is the whole process's, and other tests run beside this one.
    @Test func theResidentSetIsFlatAfterTheFirstTwenty() async {
      await #expect(processExitsWith: .success) {
        let network = try TestNetworks.lite()
        let picture = drawnPicture(width: 300, height: 200)
        var embedding = try network.encode(picture)
        var decodes: [Int] = []
        for i in 0..<500 {
          let prompt = MemoryTests.prompts[i % MemoryTests.prompts.count]
          _ = try network.decode(embedding, prompts: [prompt])
          decodes.append(try residentBytes())
        }
        var encodes: [Int] = []
        for _ in 0..<30 {
          embedding = try network.encode(picture)
          encodes.append(try residentBytes())
        }
        // A lost logit grid a decode would be 80 MB, a lost embedding an encode 20 MB.
        let limit = 3 << 20
        let decodeGrowth = decodes[499] - decodes[19]
        let encodeGrowth = encodes[29] - encodes[9]
        #expect(decodeGrowth < limit, "480 decodes added \(decodeGrowth) bytes")
        #expect(encodeGrowth < limit, "20 encodes added \(encodeGrowth) bytes")
      }
    }
  #endif

  static let prompts = [
    Prompt(points: [Prompt.Point(x: 120, y: 80, isIncluded: true)]),
    Prompt(box: Prompt.Box(x0: 20, y0: 30, x1: 200, y1: 180)),
  ]
}

/// Bytes of this process that are in memory.
private func residentBytes() throws -> Int {
  let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let pages = try #require(Int(text.split(separator: " ")[1]))
  return pages * sysconf(Int32(_SC_PAGESIZE))
}
