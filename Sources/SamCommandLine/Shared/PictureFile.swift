import Foundation
import SamSwift

/// The pictures that a command is given.
enum PictureFile {
  /// Reads a picture as it is displayed; `-` is standard input.
  static func read(_ typed: String, in environment: CommandEnvironment) throws -> PixelImage {
    if typed == "-" {
      return try ImageDecoder().decode(Data(environment.readInput()), name: "standard input")
    }
    return try ImageDecoder().decode(contentsOf: URL(fileURLWithPath: environment.path(typed)))
  }
}
