/// What can go wrong in finding, fetching and checking weights.
package enum WeightStoreError: Error, Equatable, Sendable {
  /// No model of that name is known.
  case unknownModel(name: String, known: [String])
  /// A model's weights have not been downloaded.
  case notDownloaded(model: String, place: String)
  /// The weights that travel with SamSwift are not where they should be.
  case bundledMissing(model: String, places: [String])
  /// A model that is part of SamSwift is not downloaded.
  case notDownloadable(model: String)
  /// An environment variable cannot be used.
  case badVariable(name: String, value: String, wanted: String)
  /// No answer came.
  case unreachable(address: String, reason: String)
  /// The server answered with something other than the file.
  case badStatus(address: String, status: Int)
  /// The server announced or sent a file of another length.
  case wrongLength(source: String, expected: Int, actual: Int)
  /// The connection ended early, each time that it was tried; what came is kept for the next call.
  case interrupted(address: String, received: Int, expected: Int, reason: String)
  /// The bytes are not those of the model.
  case wrongChecksum(source: String, expected: String, actual: String)
  /// The store cannot be written.
  case unwritable(path: String, reason: String)
  /// A file of the store cannot be read.
  case unreadable(path: String, reason: String)
  /// The caller's task was cancelled; what came is kept for the next call.
  case cancelled
}

extension WeightStoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownModel(let name, let known):
      "there is no model \"\(name)\"; known are \(known.joined(separator: ", "))"
    case .notDownloaded(let model, let place):
      "the weights of \(model) are not on this machine: there is no \(place). "
        + "'samswift weights download \(model)' fetches them"
    case .bundledMissing(let model, let places):
      "the weights of \(model), which are part of SamSwift, are missing; looked for "
        + places.joined(separator: ", ")
    case .notDownloadable(let model):
      "\(model) is part of SamSwift; there is nothing to download"
    case .badVariable(let name, let value, let wanted):
      "the environment variable \(name) must be \(wanted), not \"\(value)\""
    case .unreachable(let address, let reason):
      "\(address): no answer: \(reason)"
    case .badStatus(let address, let status):
      "\(address): the server answered \(status)\(Self.meaning(of: status)) instead of sending the file"
    case .wrongLength(let source, let expected, let actual):
      "\(source): expected a file of \(expected) bytes, but it has \(actual)"
    case .interrupted(let address, let received, let expected, let reason):
      "\(address): the connection ended after \(received) of \(expected) bytes (\(reason)); "
        + "the next download goes on from there"
    case .wrongChecksum(let source, let expected, let actual):
      "\(source): not the expected file: its SHA-256 is \(actual), not \(expected)"
    case .unwritable(let path, let reason):
      "\(path): cannot be written: \(reason)"
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason)"
    case .cancelled:
      "cancelled"
    }
  }

  private static func meaning(of status: Int) -> String {
    switch status {
    case 403: " (forbidden)"
    case 404: " (not found)"
    case 407: " (the proxy wants a login)"
    case 429: " (too many requests; try later)"
    case 500...599: " (a fault of the server)"
    default: ""
    }
  }
}
