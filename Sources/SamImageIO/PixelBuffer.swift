/// Takes memory for pixels and has `body` write all of them.
///
/// The memory is not cleared first: a file that promises a large picture and holds none costs
/// nothing.
func makePixels(
  _ count: Int, _ body: (UnsafeMutablePointer<UInt8>) throws(ImageIOError) -> Void
) throws(ImageIOError) -> [UInt8] {
  var fault: ImageIOError?
  let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
    guard let base = buffer.baseAddress else { return }
    do throws(ImageIOError) {
      try body(base)
      initialised = count
    } catch {
      fault = error
    }
  }
  if let fault { throw fault }
  return pixels
}
