import Foundation
import KernelInterface

/// One line of a shapes file: numbers and words, then a note that is not read.
struct Shape {
  let numbers: [Int]
  let words: [String]

  var activation: Activation? {
    switch words.first {
    case "none": Activation.none
    case "relu": .relu
    case "relu6": .relu6
    case "gelu": .gelu
    default: nil
    }
  }
}

/// The files of Benchmarks/Shapes: the layer shapes of the two networks.
enum Shapes {
  static func read(_ name: String) -> [Shape] {
    let url = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../Shapes/\(name).txt").standardizedFileURL
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      var numbers: [Int] = []
      var words: [String] = []
      for field in line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true) {
        if let number = Int(field) {
          numbers.append(number)
        } else if words.isEmpty {
          words.append(String(field))
        } else {
          break
        }
      }
      return Shape(numbers: numbers, words: words)
    }
  }
}
