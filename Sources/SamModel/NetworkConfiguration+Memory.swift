extension NetworkConfiguration {
  /// Floats that one map, or one layer's scores, may take: sixteen times what MobileSAM's largest map takes.
  private static let floatLimit = 1 << 26

  /// What would take more memory than any real network, or reach past a table; nil where nothing does.
  ///
  /// The sides of every layer are in range when this is asked, but not yet their products.
  var memoryFault: String? {
    // The longer side of the frame with its padding.
    let side = padMultiple.map { (frameSize + $0 - 1) / $0 * $0 } ?? frameSize
    switch encoder {
    case .tinyViT(let vit): return vit.memoryFault(side: side)
    case .lite(let lite): return lite.memoryFault(side: side)
    }
  }

  fileprivate static func bound(_ what: String, _ floats: Int) -> String? {
    floats <= floatLimit
      ? nil : "\(what) takes \(floats) floats, wanted \(floatLimit) or less"
  }
}

extension NetworkConfiguration.TinyViT {
  fileprivate func memoryFault(side: Int) -> String? {
    for (i, stride) in [4, 8, 16, 16].enumerated() {
      let cells = (side / stride) * (side / stride)
      let window = windows[i] * windows[i]
      if let fault = NetworkConfiguration.bound("a map of stage \(i)", cells * dimensions[i])
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
    for (i, stage) in stages.enumerated() {
      stride *= stage.stride
      let cells = (side / stride) * (side / stride)
      faults.append(
        NetworkConfiguration.bound("a map of stages[\(i)]", cells * stage.channels))
    }
    return faults.compactMap { $0 }.first
  }
}
