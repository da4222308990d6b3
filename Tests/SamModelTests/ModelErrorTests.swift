import SamModel
import Testing

/// Errors say what was wanted, what came, and where.
struct ModelErrorTests {
  static let descriptions: [(ModelError, String)] = [
    (
      .missingTensor(key: "neck.0.weight", checkpoint: "w.pt"),
      #"w.pt: tensor "neck.0.weight" is missing; the network needs it"#
    ),
    (
      .unknownTensors(keys: ["a.b"], checkpoint: "w.pt"),
      #"w.pt: the network has no layer for tensor "a.b""#
    ),
    (
      .unknownTensors(keys: ["a", "b", "c", "d", "e"], checkpoint: "w.pt"),
      #"w.pt: the network has no layer for tensors "a", "b", "c" and 2 more"#
    ),
    (
      .wrongShape(key: "a", expected: [4, 2], actual: [2, 4], checkpoint: "w.pt"),
      #"w.pt: tensor "a" has the shape [2, 4], the network needs [4, 2]"#
    ),
    (
      .badConfiguration(reason: "samswift.config: depth is 9, wanted 1 to 8", checkpoint: "w.pt"),
      "w.pt: samswift.config: depth is 9, wanted 1 to 8"
    ),
    (.badPicture(reason: "it has no pixels"), "the picture cannot be used: it has no pixels"),
    (.badPrompt(reason: "no point"), "the prompt cannot be used: no point"),
    (.cancelled, "cancelled"),
  ]

  @Test(arguments: descriptions)
  func describesItself(error: ModelError, words: String) {
    #expect("\(error)" == words)
  }
}
