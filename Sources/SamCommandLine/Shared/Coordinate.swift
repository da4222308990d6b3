/// A place along a side of the picture: in pixels from its left or upper edge, or as a share of it.
package enum Coordinate: Sendable, Equatable {
  case pixels(Double)
  case percent(Double)

  /// Reads `120`, `120.5` or `50%`.
  init?(_ text: some StringProtocol) {
    if text.hasSuffix("%") {
      guard let number = finiteNumber(text.dropLast()) else { return nil }
      self = .percent(number)
    } else {
      guard let number = finiteNumber(text) else { return nil }
      self = .pixels(number)
    }
  }

  /// Pixels along a side of `length`; 100 % is the far edge.
  func resolved(along length: Int) -> Double {
    switch self {
    case .pixels(let value): value
    case .percent(let value): value / 100 * Double(length)
    }
  }
}

/// A place in the picture.
package struct CoordinatePair: Sendable, Equatable {
  package var x: Coordinate
  package var y: Coordinate

  package init(x: Coordinate, y: Coordinate) {
    self.x = x
    self.y = y
  }
}

extension ValueReader where Value == CoordinatePair {
  /// Reads `X,Y`.
  package static let point = ValueReader(
    wanted: "two numbers in pixels or percent, such as 120,80 or 50%,40%"
  ) { text in
    guard let numbers = coordinates(text, count: 2) else { return nil }
    return CoordinatePair(x: numbers[0], y: numbers[1])
  }
}

extension ValueReader where Value == (CoordinatePair, CoordinatePair) {
  /// Reads `X0,Y0,X1,Y1`.
  package static var box: ValueReader {
    ValueReader(
      wanted: "two opposite corners in pixels or percent, such as 40,30,280,200 or 10%,5%,90%,80%"
    ) { text in
      guard let numbers = coordinates(text, count: 4) else { return nil }
      return (
        CoordinatePair(x: numbers[0], y: numbers[1]), CoordinatePair(x: numbers[2], y: numbers[3])
      )
    }
  }
}

private func coordinates(_ text: String, count: Int) -> [Coordinate]? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  guard parts.count == count else { return nil }
  var numbers: [Coordinate] = []
  for part in parts {
    guard let number = Coordinate(part.trimmingSpaces) else { return nil }
    numbers.append(number)
  }
  return numbers
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = self.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
