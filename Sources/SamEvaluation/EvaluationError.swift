/// What can go wrong in an evaluation, beside what a session can throw.
package enum EvaluationError: Error, Equatable, Sendable {
  /// The folder cannot be listed.
  case folderUnreadable(path: String, reason: String)
  /// No photograph of the folder has a label map.
  case nothingLabelled(path: String)
  /// A label map is not of its photograph's size.
  case sizesDiffer(labels: String, wanted: String, actual: String)
  /// Every label covers less or more of its photograph than is measured.
  case nothingToMeasure(path: String, photographs: Int)
}

extension EvaluationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .folderUnreadable(let path, let reason): "\(path): cannot be listed: \(reason)"
    case .nothingLabelled(let path):
      "\(path): no NAME.jpg or NAME.jpeg with a label map NAME.png beside it"
    case .sizesDiffer(let labels, let wanted, let actual):
      "\(labels): the label map is \(actual) pixels, its photograph \(wanted)"
    case .nothingToMeasure(let path, let photographs):
      "\(path): none of the \(photographs) photographs has an object of 1 % to 80 % of its area"
    }
  }
}
