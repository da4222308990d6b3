import KernelInterface

/// Bᵀ of Winograd's F(2×2, 3×3).
private let inputMatrix: [[Float]] = [
  [1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1],
]

/// Aᵀ.
private let outputMatrix: [[Float]] = [[1, 1, 1, 0], [0, 1, -1, -1]]

func winogradInputReference(
  _ input: UnsafePointer<Float>, _ pitch: Int, _ channels: Int, _ tiles: Int,
  _ output: UnsafeMutablePointer<Float>, _ plane: Int
) {
  for tile in 0..<tiles {
    for c in 0..<channels {
      let result = transform(inputMatrix) { input[$0 * pitch + (2 * tile + $1) * channels + c] }
      for i in 0..<4 {
        for j in 0..<4 { output[(4 * i + j) * plane + tile * channels + c] = result[i][j] }
      }
    }
  }
}

func winogradOutputReference(
  _ products: UnsafePointer<Float>, _ plane: Int, _ channels: Int, _ tiles: Int,
  _ output: UnsafeMutablePointer<Float>, _ pitch: Int, _ pixelStride: Int
) {
  for tile in 0..<tiles {
    for c in 0..<channels {
      let result = transform(outputMatrix) {
        products[(4 * $0 + $1) * plane + tile * channels + c]
      }
      for i in 0..<2 {
        for j in 0..<2 { output[i * pitch + (2 * tile + j) * pixelStride + c] = result[i][j] }
      }
    }
  }
}

/// matrix · tile · matrixᵀ; a zero of the matrix leaves its value out, even a NaN.
private func transform(
  _ matrix: [[Float]], _ tile: (_ row: Int, _ column: Int) -> Float
) -> [[Float]] {
  func product(_ weights: [Float], _ value: (Int) -> Float) -> Float {
    weights.indices.reduce(0) { weights[$1] == 0 ? $0 : $0 + weights[$1] * value($1) }
  }
  return matrix.map { down in
    matrix.map { across in
      product(across) { column in product(down) { row in tile(row, column) } }
    }
  }
}
