// What Vision does not have: the choice of the model, and one embedding for both levels of the API.

extension GenerateIterativeSegmentationRequest {
  /// The model that segments; SamSwift Lite by default.
  ///
  /// A handler keeps one embedding for each model that its requests use.
  public var model: SegmentationModel {
    get { state.withLock(\.model) }
    set { state.withLock { $0.model = newValue } }
  }
}

extension ImageRequestHandler {
  /// Creates a handler for a session's current picture, whose embedding it uses.
  ///
  /// The picture is encoded anew only for requests that use another model than the session.
  ///
  /// - Parameter session: A session with a picture.
  /// - Throws: ``SamSwiftError/noImage``.
  public convenience init(_ session: SamSession) throws(SamSwiftError) {
    self.init(
      Encoding(engine: session.engine, picture: try session.requirePicture()), model: session.model)
  }
}
