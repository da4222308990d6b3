/// What can be wrong with one request of a batch; it becomes the request's answer.
enum BatchError: Error, Equatable, Sendable {
  case lineTooLong(limit: Int)
  case tooDeep(limit: Int)
  case notJSON(reason: String)
  /// A member that no request has.
  case unknownMember(String, place: String)
  /// A member that has to be there.
  case missingMember(String)
  /// A member with a value that cannot be meant.
  case badMember(String, wanted: String)
  /// Members that are right one by one but not together.
  case conflict(String)
}

extension BatchError: CustomStringConvertible {
  var description: String {
    switch self {
    case .lineTooLong(let limit): "the line is longer than \(limit) bytes. Raise --max-line"
    case .tooDeep(let limit): "the line nests deeper than \(limit) brackets"
    case .notJSON(let reason): "the line is not JSON: \(reason)"
    case .unknownMember(let name, let place):
      "\(place) has no member '\(name)'. See 'samswift batch --help'"
    case .missingMember(let name): "\(name) is missing"
    case .badMember(let name, let wanted): "\(name) is not right: it must be \(wanted)"
    case .conflict(let text): text
    }
  }
}
