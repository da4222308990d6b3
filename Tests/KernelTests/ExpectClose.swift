import Testing

/// Expects two results to agree within `absolute + relative · |expected|`, and NaN where NaN is.
///
/// A failure names the first value that is wrong and the worst one.
func expectClose(
  _ actual: [Float], _ expected: [Float], absolute: Float = 0, relative: Float = 0,
  _ what: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
  guard actual.count == expected.count else {
    Issue.record(
      "\(what): \(actual.count) values, expected \(expected.count)", sourceLocation: sourceLocation)
    return
  }
  var first: Int?
  var worst = 0
  var worstExcess: Float = -1
  for i in actual.indices {
    let (a, e) = (actual[i], expected[i])
    if a == e || a.isNaN && e.isNaN { continue }
    let difference = abs(a - e)
    let allowed = absolute + relative * abs(e)
    if difference <= allowed { continue }
    first = first ?? i
    let excess = difference.isNaN ? .infinity : difference - allowed
    if excess > worstExcess { (worst, worstExcess) = (i, excess) }
  }
  guard let first else { return }
  Issue.record(
    """
    \(what): value \(first) is \(actual[first]), expected \(expected[first]); worst at \(worst): \
    \(actual[worst]), expected \(expected[worst]), off by \(abs(actual[worst] - expected[worst]))
    """, sourceLocation: sourceLocation)
}
