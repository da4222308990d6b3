#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Testing

/// Memory for a kernel that shows when the kernel leaves it.
///
/// The values end where an unreadable page begins, so that reading or writing past them ends the
/// test at once. Before them lie guard values: NaN, so that reading one spoils a result, with a bit
/// pattern that ``expectGuardsIntact(_:sourceLocation:)`` looks for. The values are not aligned to anything but
/// their own size.
final class GuardedFloats {
  let count: Int
  let pointer: UnsafeMutablePointer<Float>
  private let mapping: UnsafeMutableRawPointer
  private let length: Int

  private static let guardPattern: UInt32 = 0x7FD1_5EA5
  private static let guardCount = 64

  init(count: Int) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    self.count = count
    let bytes = (count + Self.guardCount) * MemoryLayout<Float>.stride
    let readable = (bytes + page - 1) / page * page
    length = readable + page
    guard
      let mapping = mmap(
        nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      mapping != MAP_FAILED, mprotect(mapping + readable, page, PROT_NONE) == 0
    else { fatalError("no memory for \(count) guarded floats") }
    self.mapping = mapping
    pointer = (mapping + readable).assumingMemoryBound(to: Float.self) - count
    for i in 1...Self.guardCount { pointer[-i] = Float(bitPattern: Self.guardPattern) }
  }

  convenience init(_ values: [Float]) {
    self.init(count: values.count)
    for (i, value) in values.enumerated() { pointer[i] = value }
  }

  deinit { munmap(mapping, length) }

  var values: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }

  fileprivate var isIntact: Bool {
    (1...Self.guardCount).allSatisfy { pointer[-$0].bitPattern == Self.guardPattern }
  }
}

/// Fails where something was written before the values of a memory.
///
/// Name every memory of the test, last: a memory lives as long as it is used, and its pointer alone
/// does not keep it.
func expectGuardsIntact(
  _ memories: GuardedFloats..., sourceLocation: SourceLocation = #_sourceLocation
) {
  for (i, memory) in memories.enumerated() where !memory.isIntact {
    Issue.record("written before memory \(i)", sourceLocation: sourceLocation)
  }
}
