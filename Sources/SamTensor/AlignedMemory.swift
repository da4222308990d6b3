#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The one place that asks the system for float memory.
enum AlignedMemory {
  /// A cache line, and the widest vector.
  static let alignment = 64

  /// From this size on, memory is aligned to (and asks for) 2 MB pages: the first touch of a large map
  /// in 4 KB pages costs more than some of the layers that fill it.
  static let hugePage = 2 << 20

  static func allocate(floats: Int) -> UnsafeMutablePointer<Float> {
    let bytes = floats * MemoryLayout<Float>.stride
    let isLarge = bytes >= hugePage
    var raw: UnsafeMutableRawPointer?
    let status = posix_memalign(&raw, isLarge ? hugePage : alignment, bytes)
    guard status == 0, let raw else {
      fatalError("out of memory: \(bytes) bytes wanted for float storage")
    }
    #if os(Linux)
      if isLarge { madvise(raw, bytes, MADV_HUGEPAGE) }
    #endif
    return raw.bindMemory(to: Float.self, capacity: floats)
  }

  static func release(_ pointer: UnsafeMutablePointer<Float>) {
    free(pointer)
  }
}
