extension MaskOutline {
  /// The pieces and holes as the data of one SVG path, to be filled by the even-odd rule.
  ///
  /// Coordinates are pixels of the picture; an empty mask gives an empty text.
  public var svgPath: String {
    var text = ""
    for ring in rings {
      var last: OutlinePoint?
      for point in ring.points {
        if let last {
          if point.y == last.y {
            text += "H\(number(point.x))"
          } else if point.x == last.x {
            text += "V\(number(point.y))"
          } else {
            text += "L\(number(point.x)) \(number(point.y))"
          }
        } else {
          text += "M\(number(point.x)) \(number(point.y))"
        }
        last = point
      }
      text += "Z"
    }
    return text
  }

  /// An SVG file of the picture's size with the mask as one path.
  public func svg(fill: SamColor = .black) -> String {
    let opacity = fill.alpha == 255 ? "" : " fill-opacity=\"\(thousandths(fill.alpha))\""
    let color = SamColor(red: fill.red, green: fill.green, blue: fill.blue)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)">
      <path fill="\(color)"\(opacity) fill-rule="evenodd" d="\(svgPath)"/>
      </svg>

      """
  }

  private func thousandths(_ alpha: UInt8) -> Double {
    (Double(alpha) / 255 * 1000).rounded() / 1000
  }

  /// Whole numbers without a point.
  private func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }
}
