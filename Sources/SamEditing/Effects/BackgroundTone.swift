/// Changes of the background's brightness and colour, each pixel by itself.
enum BackgroundTone {
  /// Multiplies the brightness.
  static func dimmed(_ canvas: Canvas, brightness: Double) -> RowStage {
    RowStage {
      let factor = Float(brightness)
      let factors = SIMD4<Float>(factor, factor, factor, 1)
      return { _, row in
        for x in 0..<canvas.width { row[x] *= factors }
      }
    }
  }

  /// Moves colours towards their luma (ITU-R 601, as grays are made elsewhere).
  static func gray(_ canvas: Canvas, amount: Double) -> RowStage {
    RowStage {
      let amount = Float(amount)
      return { _, row in
        for x in 0..<canvas.width {
          let paint = row[x]
          let luma = paint.x * 0.299 + paint.y * 0.587 + paint.z * 0.114
          row[x] = paint + (SIMD4(luma, luma, luma, paint.w) - paint) * amount
        }
      }
    }
  }
}
