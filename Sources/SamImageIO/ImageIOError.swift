/// What can go wrong in reading or writing a picture; each case names the file and the fault.
public enum ImageIOError: Error, Hashable, Sendable {
  /// There is no such file.
  case missing(file: String)
  /// The name belongs to a folder.
  case isDirectory(file: String)
  /// The system refused to read.
  case unreadable(file: String, reason: String)
  /// The file has no bytes.
  case empty(file: String)
  /// The file has more bytes than a picture within the limits can have.
  case fileTooLarge(file: String, limit: Int)
  /// The first bytes begin none of the known formats.
  case unknownFormat(file: String)
  /// The file ends before the picture does.
  case truncated(file: String, format: ImageFormat)
  /// The file's contents contradict the format.
  case corrupt(file: String, format: ImageFormat, detail: String)
  /// The file is valid but of a kind that is not read.
  case unsupported(file: String, format: ImageFormat, detail: String)
  /// The header gives a size without pixels.
  case noPixels(file: String, format: ImageFormat)
  /// The header gives more pixels than the limit.
  case tooManyPixels(file: String, width: Int, height: Int, limit: Int)
  /// There is not enough memory for the picture.
  case outOfMemory(file: String)
  /// The picture cannot be written in this format.
  case notEncodable(format: ImageFormat, detail: String)
  /// The name's ending is none that a format goes by.
  case unknownOutputFormat(file: String)
  /// The file could not be written; what was there before is unchanged.
  case unwritable(file: String, reason: String)
}

extension ImageIOError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .missing(let file): "\(file): there is no such file"
    case .isDirectory(let file): "\(file): this is a folder, not a picture"
    case .unreadable(let file, let reason): "\(file): cannot be read: \(reason)"
    case .empty(let file): "\(file): the file is empty"
    case .fileTooLarge(let file, let limit):
      "\(file): the file has more than \(limit) bytes"
    case .unknownFormat(let file): "\(file): neither a PNG nor a JPEG file"
    case .truncated(let file, let format):
      "\(file): the \(format) file is cut short: it ends before the picture does"
    case .corrupt(let file, let format, let detail):
      "\(file): the \(format) file is damaged: \(detail)"
    case .unsupported(let file, let format, let detail):
      "\(file): this kind of \(format) is not supported: \(detail)"
    case .noPixels(let file, let format): "\(file): the \(format) picture has no pixels"
    case .tooManyPixels(let file, let width, let height, let limit):
      "\(file): \(width) × \(height) pixels are more than the limit of \(limit)"
    case .outOfMemory(let file): "\(file): not enough memory for the picture"
    case .notEncodable(let format, let detail):
      "the picture cannot be written as \(format): \(detail)"
    case .unknownOutputFormat(let file):
      "\(file): the name must end in .png, .jpg or .jpeg"
    case .unwritable(let file, let reason): "\(file): cannot be written: \(reason)"
    }
  }
}
