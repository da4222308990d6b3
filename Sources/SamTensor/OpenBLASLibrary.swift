import COpenBLAS

/// The CBLAS library that this process has loaded.
package enum OpenBLASLibrary {
  /// The CPU family whose kernels it chose; `OPENBLAS_CORETYPE` overrides the choice.
  package static var coreName: String { String(cString: openblas_get_corename()) }

  /// Its version and how it was built, in its own words.
  package static var configuration: String { String(cString: openblas_get_config()) }
}
