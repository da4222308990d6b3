import Foundation
import SamSwift
import SamTestSupport
import Testing

#if os(Linux)
  /// A session that is used for long takes no more memory.
  struct SessionMemoryTests {
    // In a process of its own: the resident set is the whole process's.
    @Test func theResidentSetIsFlatAfterTheFirstTwenty() async {
      await #expect(processExitsWith: .success) {
        let image = try ImageDecoder().decode(contentsOf: TestPhotos.url("coffee.png"))
        // Buffers are lent to threads: with several, how many exist depends on luck.
        let configuration = SamConfiguration(threads: 1)
        let session = try SamSession(configuration: configuration)
        try session.setImage(image)
        var predicts: [Int] = []
        for index in 0..<500 {
          let points = [SamPoint(x: Double(100 + index % 300), y: 180)]
          let quality = SamQuality.allCases[index % 3]
          _ = try session.predict(points: points, options: .init(quality: quality))
          predicts.append(try residentBytes())
        }
        var encodes: [Int] = []
        for _ in 0..<30 {
          try session.setImage(image)
          encodes.append(try residentBytes())
        }
        var sessions: [Int] = []
        for _ in 0..<30 {
          let other = try SamSession(configuration: configuration)
          try other.setImage(image)
          _ = try other.predict(points: [SamPoint(x: 300, y: 180)])
          sessions.append(try residentBytes())
        }
        // A lost mask a predict would be over 100 MB, a lost picture an encode 15 MB.
        let limit = 4 << 20
        let growths = [
          "480 predicts": predicts[499] - predicts[19], "20 encodes": encodes[29] - encodes[9],
          "20 sessions": sessions[29] - sessions[9],
        ]
        for (what, growth) in growths {
          #expect(growth < limit, "\(what) added \(growth) bytes")
        }
      }
    }
  }

  /// Bytes of this process that are in memory.
  private func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = try #require(Int(text.split(separator: " ")[1]))
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
#endif
