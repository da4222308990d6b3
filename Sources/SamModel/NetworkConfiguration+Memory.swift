extension NetworkConfiguration {
  /// Floats that one map, or one layer's scores, may take: sixteen times what MobileSAM's largest map takes.
  private static let floatLimit = 1 << 26

  /// Floats that a widened map may take, most of which exist as a few rows only: eight times MobileSAM's largest.
  private static let widenedLimit = 1 << 27

  /// What would take more memory than any real network, or reach past a table; nil where nothing does.
  ///
  /// The sides of every layer are in range when this is asked, but not yet their products.
  var memoryFault: String? {
    switch encoder {
    case .tinyViT(let vit): return vit.memoryFault(side: frameSize)
    case .lite(let lite): return lite.memoryFault(side: frameSize)
    }
  }

  fileprivate static func bound(_ what: String, _ floats: Int) -> String? {
    bound(what, floats, limit: floatLimit)
  }

  fileprivate static func bound(widened what: String, _ floats: Int) -> String? {
    bound("a widened map of \(what)", floats, limit: widenedLimit)
  }

  private static func bound(_ what: String, _ floats: Int, limit: Int) -> String? {
    floats <= limit ? nil : "\(what) takes \(floats) floats, wanted \(limit) or less"
  }
}

extension NetworkConfiguration.TinyViT {
  fileprivate func memoryFault(side: Int) -> String? {
    let strides = [4, 8, 16, 16]
    for (i, stride) in strides.enumerated() {
      let cells = (side / stride) * (side / stride)
      let window = windows[i] * windows[i]
      // Stage 0 has blocks that widen; what leads to the others widens the map of the stage before.
      let before = side / strides[max(0, i - 1)]
      let wide = before * before * dimensions[i] * (i == 0 ? expansion : 1)
      if let fault = NetworkConfiguration.bound("a map of stage \(i)", cells * dimensions[i])
        ?? NetworkConfiguration.bound(widened: "stage \(i)", wide)
        ?? NetworkConfiguration.bound("windows[\(i)]'s attention", heads[i] * window * window)
      {
        return fault
      }
    }
    return nil
  }
}

extension NetworkConfiguration.Lite {
  fileprivate func memoryFault(side: Int) -> String? {
    // Attention looks up a bias for each distance on the whole stride-32 grid.
    let grid = side / 32
    guard attention.window >= grid else {
      return
        "attention.window is \(attention.window), wanted \(grid) or more for a frame of \(side)"
    }
    let cells = grid * grid
    var stride = 2
    var faults = [
      NetworkConfiguration.bound("attention", attention.heads * cells * cells),
      NetworkConfiguration.bound("the stem's map", side * side / 4 * stemChannels),
    ]
    var inputs = stemChannels
    for (i, stage) in stages.enumerated() {
      // The first block widens the map before its stride, the others widen the stage's own.
      let wide = (side / stride) * (side / stride) * inputs * stage.expansion
      stride *= stage.stride
      let map = (side / stride) * (side / stride) * stage.channels
      faults += [
        NetworkConfiguration.bound("a map of stages[\(i)]", map),
        NetworkConfiguration.bound(
          widened: "stages[\(i)]", stage.blocks > 1 ? max(wide, map * stage.expansion) : wide),
      ]
      inputs = stage.channels
    }
    return faults.compactMap { $0 }.first
  }
}
