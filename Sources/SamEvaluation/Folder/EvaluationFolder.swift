import Foundation

/// A folder of photographs with label maps: `NAME.jpg` (or `.jpeg`) beside `NAME.png`.
package struct EvaluationFolder: Sendable {
  /// A photograph and the map of its objects.
  package struct Pair: Sendable, Equatable {
    /// The photograph's file name.
    package let name: String
    package let photograph: URL
    package let labels: URL
  }

  package let path: String
  /// The photographs that have a label map, sorted by name.
  package let pairs: [Pair]

  /// Lists a folder.
  ///
  /// - Throws: ``EvaluationError/folderUnreadable(path:reason:)``,
  ///   ``EvaluationError/nothingLabelled(path:)``.
  package init(_ url: URL) throws(EvaluationError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw .folderUnreadable(path: url.path, reason: error.localizedDescription)
    }
    let all = Set(names)
    path = url.path
    pairs = names.sorted().compactMap { name in
      guard let dot = name.lastIndex(of: "."),
        ["jpg", "jpeg"].contains(name[dot...].dropFirst().lowercased())
      else { return nil }
      let labels = name[..<dot] + ".png"
      guard all.contains(String(labels)) else { return nil }
      return Pair(
        name: name, photograph: url.appendingPathComponent(name),
        labels: url.appendingPathComponent(String(labels)))
    }
    guard !pairs.isEmpty else { throw .nothingLabelled(path: url.path) }
  }

  /// At most `limit` of the pairs, drawn by `seed`, in order of their names; nil takes them all.
  package func sample(_ limit: Int?, seed: UInt64) -> [Pair] {
    guard let limit, limit < pairs.count else { return pairs }
    var generator = SplitMix(state: seed)
    return pairs.indices.shuffled(using: &generator).prefix(limit).sorted().map { pairs[$0] }
  }
}

/// Random numbers that are the same everywhere (the mixing function of SplitMix64).
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
