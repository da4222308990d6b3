import SamImageIO

extension SamSession {
  /// Segments what the points and the box show.
  ///
  /// - Parameters:
  ///   - points: Clicks on the object, or beside it.
  ///   - box: A box round the object.
  ///   - maskInput: `logits` of an earlier answer for this picture, to be refined.
  ///   - options: The mask's size, and whether all readings of a click are wanted.
  /// - Returns: The masks, the best score first.
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidPrompt(reason:)``.
  public func predict(
    points: [SamPoint] = [], box: SamBox? = nil, maskInput: SamLogits? = nil,
    options: SamPredictOptions = SamPredictOptions()
  ) throws(SamSwiftError) -> SamResult {
    try predictOne(
      SamPrompt(points: points, box: box, maskInput: maskInput), options, isCancelled: { false })
  }

  /// Segments every object that the white strokes of a scribble touch.
  ///
  /// - Parameters:
  ///   - scribble: Strokes in white (128 and above) on black, of any size, stretched over the picture.
  ///   - options: The mask's size.
  /// - Returns: One mask, the union of the objects.
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidPrompt(reason:)``.
  public func predict(
    scribble: PixelImage, options: SamPredictOptions = SamPredictOptions()
  ) throws(SamSwiftError) -> SamResult {
    try predictOne(SamPrompt(scribble: scribble), options, isCancelled: { false })
  }

  /// Segments for each prompt on its own, in one batch.
  ///
  /// - Parameters:
  ///   - prompts: What points at each object.
  ///   - options: The masks' size, and whether all readings of a click are wanted.
  /// - Returns: One result for each prompt, in order.
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidPrompt(reason:)``.
  public func predict(
    _ prompts: [SamPrompt], options: SamPredictOptions = SamPredictOptions()
  ) throws(SamSwiftError) -> [SamResult] {
    try engine.predict(prompts, options: options, on: requirePicture(), isCancelled: { false })
  }

  /// Segments what the points and the box show.
  ///
  /// - Parameters:
  ///   - points: Clicks on the object, or beside it.
  ///   - box: A box round the object.
  ///   - maskInput: `logits` of an earlier answer for this picture, to be refined.
  ///   - options: The mask's size, and whether all readings of a click are wanted.
  /// - Returns: The masks, the best score first.
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidPrompt(reason:)``,
  ///   ``SamSwiftError/cancelled``.
  public func predict(
    points: [SamPoint] = [], box: SamBox? = nil, maskInput: SamLogits? = nil,
    options: SamPredictOptions = SamPredictOptions()
  ) async throws(SamSwiftError) -> SamResult {
    let prompt = SamPrompt(points: points, box: box, maskInput: maskInput)
    return try await withCancellableWork { [self] isCancelled throws(SamSwiftError) in
      try predictOne(prompt, options, isCancelled: isCancelled)
    }
  }

  /// Segments every object that the white strokes of a scribble touch.
  ///
  /// - Parameters:
  ///   - scribble: Strokes in white (128 and above) on black, of any size, stretched over the picture.
  ///   - options: The mask's size.
  /// - Returns: One mask, the union of the objects.
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidPrompt(reason:)``,
  ///   ``SamSwiftError/cancelled``.
  public func predict(
    scribble: PixelImage, options: SamPredictOptions = SamPredictOptions()
  ) async throws(SamSwiftError) -> SamResult {
    try await withCancellableWork { [self] isCancelled throws(SamSwiftError) in
      try predictOne(SamPrompt(scribble: scribble), options, isCancelled: isCancelled)
    }
  }

  /// Segments for each prompt on its own, in one batch.
  ///
  /// - Parameters:
  ///   - prompts: What points at each object.
  ///   - options: The masks' size, and whether all readings of a click are wanted.
  /// - Returns: One result for each prompt, in order.
  /// - Throws: ``SamSwiftError/noImage``, ``SamSwiftError/invalidPrompt(reason:)``,
  ///   ``SamSwiftError/cancelled``.
  public func predict(
    _ prompts: [SamPrompt], options: SamPredictOptions = SamPredictOptions()
  ) async throws(SamSwiftError) -> [SamResult] {
    try await withCancellableWork { [self] isCancelled throws(SamSwiftError) in
      try engine.predict(prompts, options: options, on: requirePicture(), isCancelled: isCancelled)
    }
  }

  private func predictOne(
    _ prompt: SamPrompt, _ options: SamPredictOptions, isCancelled: @escaping @Sendable () -> Bool
  ) throws(SamSwiftError) -> SamResult {
    try engine.predict([prompt], options: options, on: requirePicture(), isCancelled: isCancelled)[
      0]
  }
}
