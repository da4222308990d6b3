import Foundation
import SamCheckpoint
import SamWeights

/// Where the weights of the known models lie on this machine.
///
/// The folder is `$SAMSWIFT_HOME`, else `$XDG_CACHE_HOME/samswift`, else `~/.cache/samswift`. It is
/// made by the first download; looking things up makes nothing.
package struct WeightStore: Sendable {
  /// Where downloaded weights lie.
  package let folder: URL
  /// The models, with what the environment says about them.
  package let models: [CatalogueModel]

  /// The store that the environment names.
  ///
  /// - Throws: ``WeightStoreError/badVariable(name:value:wanted:)``.
  package init(
    variables: [String: String] = ProcessInfo.processInfo.environment
  ) throws(WeightStoreError) {
    var models: [CatalogueModel] = []
    for model in CatalogueModel.all { models.append(try model.overridden(by: variables)) }
    self.init(folder: Self.folder(variables), models: models)
  }

  /// A store in a folder of the caller's choice.
  package init(folder: URL, models: [CatalogueModel] = CatalogueModel.all) {
    self.folder = folder
    self.models = models
  }

  private static func folder(_ variables: [String: String]) -> URL {
    func path(_ name: String) -> String? {
      variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let home = path("SAMSWIFT_HOME") { return URL(fileURLWithPath: home) }
    // The XDG specification has relative paths ignored.
    if let cache = path("XDG_CACHE_HOME"), cache.hasPrefix("/") {
      return URL(fileURLWithPath: cache).appendingPathComponent("samswift")
    }
    let home =
      path("HOME").map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser
    return home.appendingPathComponent(".cache/samswift")
  }

  /// The model of that name.
  ///
  /// - Throws: ``WeightStoreError/unknownModel(name:known:)``.
  package func model(_ name: String) throws(WeightStoreError) -> CatalogueModel {
    guard let model = models.first(where: { $0.name == name }) else {
      throw .unknownModel(name: name, known: models.map(\.name))
    }
    return model
  }

  /// Where a model's file lies or will lie; nil for a bundled model that is missing.
  package func place(of model: CatalogueModel) -> URL? {
    switch model.source {
    case .bundled: LiteWeights.locate()
    case .download(_, let fileName): folder.appendingPathComponent(fileName)
    }
  }

  /// Where a model's file lies, or nil where it is not there in its full length.
  ///
  /// Looks at the length alone: a file gets its name after its checksum was right, so a look at
  /// 40 MB at each start would find nothing. ``verify(_:)`` reads it all.
  package func locate(_ model: CatalogueModel) -> URL? {
    guard let place = place(of: model), let size = try? fileSize(place.path), size == model.size
    else { return nil }
    return place
  }

  /// Where a model's file lies.
  ///
  /// - Throws: ``WeightStoreError/notDownloaded(model:place:)``,
  ///   ``WeightStoreError/wrongLength(source:expected:actual:)``,
  ///   ``WeightStoreError/bundledMissing(model:places:)``.
  package func requireFile(of model: CatalogueModel) throws(WeightStoreError) -> URL {
    guard let place = place(of: model) else {
      throw .bundledMissing(model: model.name, places: LiteWeights.candidates.map(\.path))
    }
    guard let size = try fileSize(place.path) else {
      throw .notDownloaded(model: model.name, place: place.path)
    }
    guard size == model.size else {
      throw .wrongLength(source: place.path, expected: model.size, actual: size)
    }
    return place
  }

  /// Reads a model's whole file and compares its checksum.
  ///
  /// - Returns: The file.
  /// - Throws: What ``requireFile(of:)`` throws, and
  ///   ``WeightStoreError/wrongChecksum(source:expected:actual:)``.
  @discardableResult
  package func verify(_ model: CatalogueModel) throws(WeightStoreError) -> URL {
    let place = try requireFile(of: model)
    try checkBytes(of: place.path, against: model, shownAs: place.path)
    return place
  }

  /// Compares a file's checksum with the model's.
  func checkBytes(
    of path: String, against model: CatalogueModel, shownAs source: String
  ) throws(WeightStoreError) {
    let checksum: String
    do {
      checksum = try SHA256.checksum(path: path)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
    guard checksum == model.checksum else {
      throw .wrongChecksum(source: source, expected: model.checksum, actual: checksum)
    }
  }
}

/// The length of a regular file, or nil where there is nothing of that name.
func fileSize(_ path: String) throws(WeightStoreError) -> Int? {
  var status = stat()
  guard stat(path, &status) == 0 else {
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .unreadable(path: path, reason: String(cString: strerror(errno)))
  }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw .unreadable(path: path, reason: "it is not a file")
  }
  return Int(status.st_size)
}
