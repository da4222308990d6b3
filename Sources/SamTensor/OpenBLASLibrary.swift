import COpenBLAS

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// CBLAS, loaded when it is first asked for.
///
/// Not linked: a linked OpenBLAS starts its threads with the process, and for some 20 ms they spin on the cores that
/// the first picture is encoded on, though most processes never call it.
package struct OpenBLASLibrary: Sendable {
  /// The library, with its threads kept from working; nil where it is not installed.
  package static let shared = OpenBLASLibrary()

  /// The CPU family whose kernels it chose; `OPENBLAS_CORETYPE` overrides the choice.
  package let coreName: String
  /// Its version and how it was built, in its own words.
  package let configuration: String
  let multiply: Multiply

  /// `cblas_sgemm`.
  typealias Multiply =
    @convention(c) (
      CBLAS_ORDER, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, _ m: blasint, _ n: blasint, _ k: blasint,
      _ alpha: Float, _ a: UnsafePointer<Float>?, _ lda: blasint, _ b: UnsafePointer<Float>?,
      _ ldb: blasint, _ beta: Float, _ c: UnsafeMutablePointer<Float>?, _ ldc: blasint
    ) -> Void

  #if canImport(Darwin)
    private static let fileName = "libopenblas.dylib"
  #else
    private static let fileName = "libopenblas.so.0"
  #endif

  private init?() {
    // Never closed: its functions are used as long as the process runs.
    guard let library = dlopen(Self.fileName, RTLD_NOW | RTLD_LOCAL),
      let multiply = dlsym(library, "cblas_sgemm"),
      let setThreads = dlsym(library, "openblas_set_num_threads"),
      let coreName = dlsym(library, "openblas_get_corename"),
      let configuration = dlsym(library, "openblas_get_config")
    else { return nil }
    typealias SetThreads = @convention(c) (Int32) -> Void
    typealias Text = @convention(c) () -> UnsafePointer<CChar>
    // The threads are ours.
    unsafeBitCast(setThreads, to: SetThreads.self)(1)
    self.multiply = unsafeBitCast(multiply, to: Multiply.self)
    self.coreName = String(cString: unsafeBitCast(coreName, to: Text.self)())
    self.configuration = String(cString: unsafeBitCast(configuration, to: Text.self)())
  }
}
