import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// libFuzzer's entry point for the readers of weights. Compiled into one module with SamCheckpoint by
// Tools/fuzz/run, with the address sanitizer, whose hooks count every allocation.

/// Bytes that a reader may take beyond twice the file: what a checkpoint of very small tensors needs.
private let allowance = 4 << 20

private let readsPyTorch = getenv("SAMSWIFT_FUZZ_READER").map { String(cString: $0) } == "pt"
private let path = "/dev/shm/samswift-fuzz-\(getpid())"

/// Heap bytes in use and their highest number; one thread runs, so they need no lock.
private nonisolated(unsafe) var inUse = 0
private nonisolated(unsafe) var peak = 0
private nonisolated(unsafe) var isCounting = false

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
  _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void,
  _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> Int32

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ pointer: UnsafeRawPointer?) -> Int

/// Begins counting what is allocated; libFuzzer calls it first.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?
) -> Int32 {
  _ = installHooks(
    { _, size in
      guard isCounting else { return }
      inUse += size
      peak = max(peak, inUse)
    },
    { pointer in
      guard isCounting, pointer != nil else { return }
      inUse -= allocatedSize(pointer)
    })
  return 0
}

/// Reads one input as a file; ends the process where the reader does not do as it should.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  guard descriptor >= 0, write(descriptor, data, count) == count else {
    fatalError("cannot write \(path)")
  }
  close(descriptor)
  let url = URL(fileURLWithPath: path)
  inUse = 0
  peak = 0
  isCounting = true
  let opened: (any Checkpoint)?
  var message = ""
  do throws(CheckpointError) {
    opened = readsPyTorch ? try PyTorchFile(url: url) : try SafetensorsFile(url: url)
  } catch {
    opened = nil
    message = error.description
  }
  isCounting = false
  guard peak <= 2 * count + allowance else {
    fatalError("\(peak) bytes of heap for a file of \(count)")
  }
  guard let opened else {
    guard message.contains(path) else { fatalError("the message does not name the file") }
    return 0
  }
  for tensor in opened.tensors.prefix(64) {
    guard tensor.floats().count == tensor.count, opened[tensor.name] != nil else {
      fatalError("tensor \(tensor.name) is not what it says")
    }
  }
  if let archive = opened as? PyTorchFile { _ = archive.damagedEntries() }
  return 0
}
