/// The candidate that was probably meant, or nil where none is near.
///
/// A candidate that begins with the word counts as near, as does one within a third of its letters (rounded up)
/// in Damerau–Levenshtein distance. Cost: O(letters²) per candidate.
func closest(to word: String, among candidates: [String]) -> String? {
  let typed = Array(word.lowercased())
  guard !typed.isEmpty else { return nil }
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let letters = Array(candidate)
    let isPrefix = typed.count >= 2 && letters.starts(with: typed)
    let distance = isPrefix ? 0 : editDistance(typed, letters)
    guard isPrefix || distance <= (letters.count + 2) / 3 else { continue }
    if let found = best, found.distance <= distance { continue }
    best = (candidate, distance)
  }
  return best?.candidate
}

/// Insertions, removals, replacements and swaps of neighbours that lead from one word to the other
/// (optimal string alignment).
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var current = [i + 1]
    for j in b.indices {
      var distance = min(
        previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        distance = min(distance, beforePrevious[j - 1] + 1)
      }
      current.append(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.count]
}
