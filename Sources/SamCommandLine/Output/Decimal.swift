/// Decimal notation with at most the stated digits after the point and no trailing zeros; nil where
/// the number is not finite.
///
/// It needs no formatter and no locale, which would be slow to load.
func decimal(_ value: Double, digits: Int) -> String? {
  guard value.isFinite else { return nil }
  guard var text = places(value, digits: digits) else { return String(value) }
  guard digits > 0 else { return text }
  while text.last == "0" { text.removeLast() }
  if text.last == "." { text.removeLast() }
  return text == "-0" ? "0" : text
}

/// Decimal notation with exactly the stated digits after the point.
func fixed(_ value: Double, digits: Int) -> String {
  places(value, digits: digits) ?? String(value)
}

/// nil where the digits do not fit an integer, or the number is not finite.
private func places(_ value: Double, digits: Int) -> String? {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let scaled = (abs(value) * scale).rounded()
  guard scaled < 9e15 else { return nil }
  let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
  let sign = value < 0 ? "-" : ""
  guard digits > 0 else { return sign + String(whole) }
  let fraction = String(rest)
  return sign + String(whole) + "." + String(repeating: "0", count: digits - fraction.count)
    + fraction
}
