import SamCheckpoint
import SamModel
import SamTensor

/// Loading, encoding and decoding.
enum NetworkBenchmarks {
  static func all() -> [Benchmark] {
    BenchModel.available.flatMap { load($0) + encode($0) + decode($0) }
  }

  private static let precisions: [(name: String, value: NetworkOptions.Precision)] =
    [("f32", .float32)] + (Kernels.bfloat16(Kernels.current) == nil ? [] : [("bf16", .bfloat16)])

  private static func load(_ model: BenchModel) -> [Benchmark] {
    [
      Benchmark("load/\(model.rawValue)") {
        { Double(try model.network(.automatic, threads: 2).configuration.frameSize) }
      }
    ]
  }

  private static func encode(_ model: BenchModel) -> [Benchmark] {
    let side = model.frameSize
    let shapes = [("square", side, side), ("3x2", side, side * 2 / 3), ("2x3", side * 2 / 3, side)]
    var list: [Benchmark] = []
    for (shape, width, height) in shapes {
      for precision in precisions {
        for threads in [2, 1] {
          // The square is 77.5 GFLOP with MobileSAM, 5.1 with Lite: see the shapes in design and README.
          let flop = shape == "square" ? (model == .mobileSAM ? 77.5e9 : 5.08e9) : nil
          list.append(
            Benchmark(
              "encode/\(model.rawValue)/\(shape)/\(precision.name)/t\(threads)", flop: flop
            ) {
              let network = try model.network(precision.value, threads: threads)
              let picture = BenchPicture.make(width: width, height: height)
              // The first picture of a shape also keeps what later ones leave out.
              _ = try network.encode(picture)
              return {
                Double(try network.encode(picture).features.embedding.buffer.pointer.pointee)
              }
            })
        }
      }
    }
    return list
  }

  private static func decode(_ model: BenchModel) -> [Benchmark] {
    let side = Float(model.frameSize)
    let box = Prompt.Box(x0: side / 4, y0: side / 4, x1: side * 3 / 4, y1: side * 3 / 4)
    let prompts: [(String, [Prompt])] = [
      ("click", [Prompt(points: [.init(x: side / 2, y: side / 2, isIncluded: true)])]),
      ("box", [Prompt(box: box)]),
      (
        "64-boxes",
        (0..<64).map { i in
          let (x, y) = (Float(i % 8) * side / 8, Float(i / 8) * side / 8)
          return Prompt(box: .init(x0: x, y0: y, x1: x + side / 8, y1: y + side / 8))
        }
      ),
    ]
    return prompts.flatMap { name, prompts in
      [2, 1].map { threads in
        Benchmark("decode/\(model.rawValue)/\(name)/f32/t\(threads)") {
          let network = try model.network(.float32, threads: threads)
          let embedding = try network.encode(
            BenchPicture.make(width: model.frameSize, height: model.frameSize))
          return { Double(try network.decode(embedding, prompts: prompts)[0].scores[0]) }
        }
      }
    }
  }
}
