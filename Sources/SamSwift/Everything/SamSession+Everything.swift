extension SamSession {
  /// The options that suit the session's model: SAM's own, or those found for Lite.
  public var everythingOptions: SamEverythingOptions {
    engine.isOneByOne ? .lite : SamEverythingOptions()
  }

  /// Finds every object of the current picture: clicks through a grid, and keeps the good masks once each.
  ///
  /// The method and its numbers are those of SAM's automatic mask generator. Cost: one decode for each
  /// point of the grid, and one encode for each crop.
  ///
  /// - Parameters:
  ///   - options: The grid, the filters, crops and clean-up; nil takes ``everythingOptions``.
  ///   - progress: Told after each batch of clicks, on the thread that computes.
  /// - Returns: The objects, the best score first.
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidOptions(reason:)``.
  public func segmentEverything(
    options: SamEverythingOptions? = nil,
    progress: (@Sendable (SamEverythingProgress) -> Void)? = nil
  ) throws(SamSwiftError) -> SamSegments {
    var search = try EverythingSearch(
      engine, options ?? everythingOptions, on: requirePicture(), isCancelled: { false },
      progress: progress)
    return try search.run()
  }

  /// Finds every object of the current picture: clicks through a grid, and keeps the good masks once each.
  ///
  /// The method and its numbers are those of SAM's automatic mask generator. Cost: one decode for each
  /// point of the grid, and one encode for each crop.
  ///
  /// - Parameters:
  ///   - options: The grid, the filters, crops and clean-up; nil takes ``everythingOptions``.
  ///   - progress: Told after each batch of clicks, on the thread that computes.
  /// - Returns: The objects, the best score first.
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidOptions(reason:)``,
  ///   ``SamSwiftError/cancelled``.
  public func segmentEverything(
    options: SamEverythingOptions? = nil,
    progress: (@Sendable (SamEverythingProgress) -> Void)? = nil
  ) async throws(SamSwiftError) -> SamSegments {
    try await withCancellableWork { [self] isCancelled throws(SamSwiftError) in
      var search = try EverythingSearch(
        engine, options ?? everythingOptions, on: requirePicture(), isCancelled: isCancelled,
        progress: progress)
      return try search.run()
    }
  }
}
