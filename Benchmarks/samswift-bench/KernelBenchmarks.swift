import Foundation
import KernelInterface
import SamTensor

/// Each kernel on one thread, on the network's real shapes (Benchmarks/Shapes), in every variant that this CPU runs.
enum KernelBenchmarks {
  static func all() -> [Benchmark] {
    Kernels.available.filter { $0 != "reference" }.compactMap(Kernels.named).flatMap { table in
      var matrices = [table.matrix]
      if let bfloat16 = Kernels.bfloat16(table) { matrices.append(bfloat16) }
      let products = matrices.flatMap { matrix in
        Shapes.read("matrix-multiply").compactMap { multiply($0, matrix) }
      }
      let heads = Shapes.read("attention").compactMap { attention($0, table.matrix) }
      // `blas` has the elementwise kernels of another table.
      guard table.name != "blas" else { return products + heads }
      return products + heads
        + Shapes.read("depthwise-convolution").compactMap { depthwise($0, table) }
        + Shapes.read("winograd").flatMap { winograd($0, table) }
        + Shapes.read("elementwise").compactMap { elementwise($0, table) }
    }
  }

  /// Billions of operations a second of the best matrix kernel where nothing leaves the first-level cache.
  static func peak(isQuick: Bool) -> Double {
    let shape = Shape(numbers: [64, 128, 48], words: ["none"])
    guard let benchmark = multiply(shape, Kernels.current.matrix), let flop = benchmark.flop,
      let work = try? benchmark.setUp()
    else { return 0 }
    var best = Double.infinity
    let clock = ContinuousClock()
    for _ in 0..<(isQuick ? 1 : 20) {
      let start = clock.now
      for _ in 0..<100 { Barrier.consume((try? work()) ?? 0) }
      best = min(best, (clock.now - start).milliseconds / 100)
    }
    // Two copies of the work in each iteration, see `repeats`.
    return flop / best / 1e6
  }

  private static func multiply(_ shape: Shape, _ matrix: MatrixKernels) -> Benchmark? {
    guard shape.numbers.count == 3, let activation = shape.activation else { return nil }
    let (rows, inner, columns) = (shape.numbers[0], shape.numbers[1], shape.numbers[2])
    return Benchmark(
      "kernel/multiply/\(rows)x\(inner)x\(columns)/\(activation)/\(matrix.name)",
      flop: 2 * Double(rows * inner * columns)
    ) {
      let left = FloatBuffer.random(rows * inner)
      let weight = FloatBuffer.random(inner * columns)
      let packed = PackedMatrix(
        weight.array(), inner: inner, columns: columns, innerStride: columns, columnStride: 1,
        bias: nil, kernels: matrix)
      let output = FloatBuffer(count: rows * columns)
      return {
        packed.multiply(
          left.pointer, stride: inner, rows: rows, activation: activation,
          output: output.pointer, outputStride: columns)
        return Double(output.pointer.pointee)
      }
    }
  }

  private static func attention(_ shape: Shape, _ matrix: MatrixKernels) -> Benchmark? {
    guard shape.numbers.count == 3 else { return nil }
    let (queries, keys, depth) = (shape.numbers[0], shape.numbers[1], shape.numbers[2])
    return Benchmark(
      "kernel/attention/\(queries)x\(keys)x\(depth)/\(matrix.name)",
      flop: 4 * Double(queries * keys * depth)
    ) {
      let values = FloatBuffer.random(max(queries, keys) * 3 * depth)
      // As if the window were a square, as far as it goes.
      let width = Int(Double(keys).squareRoot())
      let bias = FloatBuffer.random(
        (max(queries, keys) / width + 1) * DistanceBias.rowStride(width: width))
      let output = FloatBuffer(count: queries * depth)
      let scratch = FloatBuffer(count: matrix.attentionScratch(queries, keys, depth))
      return {
        matrix.attention(
          AttentionCall(
            query: values.pointer, queryStride: 3 * depth, queries: queries,
            key: values.pointer + depth, keyStride: 3 * depth, value: values.pointer + 2 * depth,
            valueStride: 3 * depth, keys: keys, dimension: depth, scale: 0.2,
            bias: DistanceBias(table: bias.pointer, width: width), output: output.pointer,
            outputStride: depth, scratch: scratch.pointer))
        return Double(output.pointer.pointee)
      }
    }
  }

  private static func depthwise(_ shape: Shape, _ table: KernelTable) -> Benchmark? {
    guard shape.numbers.count == 4, let activation = shape.activation else { return nil }
    let (columns, channels) = (shape.numbers[0], shape.numbers[1])
    let (size, stride) = (shape.numbers[2], shape.numbers[3])
    let width = (columns - 1) * stride + size
    return Benchmark(
      "kernel/depthwise/\(columns)x\(channels)/\(size)x\(size)/s\(stride)/\(table.name)",
      flop: 2 * Double(columns * channels * size * size)
    ) {
      let input = FloatBuffer.random(size * width * channels)
      let taps = FloatBuffer.random(size * size * channels)
      let bias = FloatBuffer.random(channels)
      let output = FloatBuffer(count: columns * channels)
      return {
        let rows: [UnsafePointer<Float>?] = (0..<size).map {
          UnsafePointer(input.pointer + $0 * width * channels)
        }
        rows.withUnsafeBufferPointer {
          guard let first = $0.baseAddress else { return }
          table.depthwiseConvolution(
            first, size, stride, 0, width, channels, taps.pointer, bias.pointer, activation,
            output.pointer, columns)
        }
        return Double(output.pointer.pointee)
      }
    }
  }

  private static func winograd(_ shape: Shape, _ table: KernelTable) -> [Benchmark] {
    guard shape.numbers.count == 2 else { return [] }
    let (tiles, channels) = (shape.numbers[0], shape.numbers[1])
    let plane = tiles * channels + 16
    let pitch = (2 * tiles + 2) * channels
    let name = "\(tiles)x\(channels)/\(table.name)"
    return [
      Benchmark("kernel/winogradInput/\(name)") {
        let input = FloatBuffer.random(4 * pitch)
        let output = FloatBuffer(count: 16 * plane)
        return {
          table.winogradInput(input.pointer, pitch, channels, tiles, output.pointer, plane)
          return Double(output.pointer.pointee)
        }
      },
      Benchmark("kernel/winogradOutput/\(name)") {
        let products = FloatBuffer.random(16 * plane)
        let output = FloatBuffer(count: 2 * pitch)
        return {
          table.winogradOutput(
            products.pointer, plane, channels, tiles, output.pointer, pitch, channels)
          return Double(output.pointer.pointee)
        }
      },
    ]
  }

  private static func elementwise(_ shape: Shape, _ table: KernelTable) -> Benchmark? {
    guard let kernel = shape.words.first, shape.numbers.count == 2 else { return nil }
    let (rows, channels) = (shape.numbers[0], shape.numbers[1])
    let count = rows * channels
    return Benchmark("kernel/\(kernel)/\(rows)x\(channels)/\(table.name)") {
      let input = FloatBuffer.random(count)
      let output = FloatBuffer(count: count)
      let weight = FloatBuffer.random(channels)
      let sums = FloatBuffer(count: 2 * channels)
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
      let work: () -> Void
      switch kernel {
      case "gelu": work = { table.activate(.gelu, input.pointer, output.pointer, count) }
      case "layerNorm":
        work = {
          table.layerNorm(
            input.pointer, channels, rows, channels, weight.pointer, weight.pointer, 1e-5,
            output.pointer, channels)
        }
      case "softmax": work = { table.softmax(input.pointer, rows, channels, channels) }
      case "columnExponentials":
        work = {
          table.columnExponentials(
            input.pointer, rows, channels, channels, sums.pointer, sums.pointer + channels)
        }
      case "groupedSoftmax":
        work = { table.groupedSoftmax(input.pointer, rows, channels / 8, 8, channels) }
      case "sigmoidBytes": work = { table.sigmoidBytes(input.pointer, bytes, count) }
      case "interpolate":
        work = { table.interpolate(input.pointer, input.pointer, 0.5, output.pointer, count) }
      default: throw BenchError.failed("no kernel “\(kernel)”")
      }
      return {
        work()
        return Double(input.pointer.pointee)
      }
    }
  }
}

extension FloatBuffer {
  /// The same values in −0.5 ..< 0.5 every time.
  fileprivate static func random(_ count: Int) -> FloatBuffer {
    let buffer = FloatBuffer(count: count)
    for i in 0..<count { buffer.pointer[i] = Float(i &* 7919 % 1009) / 1009 - 0.5 }
    return buffer
  }
}
