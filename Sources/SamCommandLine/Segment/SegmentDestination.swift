import SamSwift

/// What a segmentation is written as.
enum ResultKind: String, CaseIterable, Sendable {
  case mask, cutout, overlay, json
}

/// Where the results of `segment` go and in what form, decided before anything is computed.
struct SegmentDestination: Sendable {
  enum Format: Sendable, Equatable {
    case png, jpeg, json
  }

  let kind: ResultKind
  let format: Format
  /// nil is standard output.
  let file: String?

  /// - Parameters:
  ///   - output: The value of `--output`, if any.
  ///   - kind: The value of `--as`, if any.
  ///   - image: The picture's name, from which an output's name is made where there is none.
  ///   - count: How many masks there are to write.
  /// - Throws: ``UsageError/conflict(_:)`` for a name and a kind that do not go together.
  init(output: String?, kind: ResultKind?, image: String, count: Int) throws(UsageError) {
    let name = output.map(FileName.init)
    self.kind = kind ?? Self.kind(of: name)
    switch (self.kind, name?.lowercasedExtension) {
    case (.json, _): format = .json
    case (_, nil), (_, "png"), (_, ""): format = .png
    case (.cutout, "jpg"), (.cutout, "jpeg"):
      throw .conflict(
        "a cut-out needs transparency, which JPEG does not have. Give --output a name ending in "
          + ".png")
    case (_, "jpg"), (_, "jpeg"): format = .jpeg
    case (_, "json"):
      throw .conflict(
        "--output ends in .json but --as says \(self.kind.rawValue). Change one of them")
    case (_, .some(let other)):
      throw .conflict("results are PNG, JPEG or JSON; .\(other) is none of them. Use .png")
    }
    if output == "-" || (output == nil && self.kind == .json) {
      file = nil
      if count > 1, self.kind != .json {
        throw .conflict("--all writes several pictures. Give --output a file's name instead of -")
      }
    } else if let output {
      file = output
    } else {
      let stem = image == "-" ? "picture" : FileName(image).stem
      file = "\(stem)-\(self.kind.rawValue).png"
    }
  }

  private static func kind(of name: FileName?) -> ResultKind {
    guard let name else { return .mask }
    if name.lowercasedExtension == "json" { return .json }
    let stem = name.stem.lowercased()
    if stem.contains("cutout") || stem.contains("cut-out") { return .cutout }
    if stem.contains("overlay") { return .overlay }
    return .mask
  }

  /// The file of each of `count` results: `FILE`, or `FILE-1`, `FILE-2`… before the extension.
  func files(_ count: Int) -> [String] {
    guard let file else { return [] }
    guard count > 1 else { return [file] }
    return (1...count).map { FileName(file).appending("-\($0)") }
  }
}

/// The parts of a path, without Foundation's machinery.
struct FileName {
  private let path: String
  private let dot: String.Index?
  private let start: String.Index

  init(_ path: String) {
    self.path = path
    start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[start...].lastIndex(of: ".")
    self.dot = dot == start ? nil : dot
  }

  /// What follows the last dot, in small letters; empty where there is none.
  var lowercasedExtension: String {
    dot.map { path[path.index(after: $0)...].lowercased() } ?? ""
  }

  /// The file's name without folder.
  var name: String { String(path[start...]) }

  /// The file's name without folder and extension.
  var stem: String { String(path[start..<(dot ?? path.endIndex)]) }

  /// The path with a suffix after the stem.
  func appending(_ suffix: String) -> String {
    let end = dot ?? path.endIndex
    return path[..<end] + suffix + path[end...]
  }
}
