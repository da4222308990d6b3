import Foundation
import SamSwift

/// What `--background` says.
enum LiftBackground: Sendable {
  case transparent
  case picture
  case color(SamColor)
  case file(String)

  /// A word, a colour, or else a file; a file of a colour's name is written `./red`.
  init(_ text: String) {
    switch text {
    case "transparent": self = .transparent
    case "picture": self = .picture
    default: self = SamColor(text).map { .color($0) } ?? .file(text)
    }
  }

  /// The background with its picture read.
  func resolved(in environment: CommandEnvironment) throws -> SamBackground {
    switch self {
    case .transparent: return .transparent
    case .picture: return .picture
    case .color(let color): return .color(color)
    case .file(let name):
      guard access(environment.path(name), F_OK) == 0 else {
        throw UsageError.badValue(
          argument: LiftCommand.background.flag, value: name,
          wanted:
            "it must be transparent, picture, a colour (such as white or #336699), or the name "
            + "of a picture's file; there is no such file")
      }
      return .image(try PictureFile.read(name, in: environment))
    }
  }
}
