import KernelInterface

// Winograd's F(2×2, 3×3) (Lavin and Gray 2015, arXiv:1509.09308, section 4.1): a tile of 2 × 2 results takes 16
// multiplications a channel instead of 36. All constants are 0 and ±1, so that nothing of note is lost in float32.

/// Transforms tiles of an input; see ``KernelTable/winogradInput``.
@inlinable @inline(__always)
public func winogradInput<V: KernelVector>(
  _ input: UnsafePointer<Float>, _ pitch: Int, _ channels: Int, _ tiles: Int,
  _ output: UnsafeMutablePointer<Float>, _ plane: Int, vector: V.Type
) {
  for tile in 0..<tiles {
    let source = input + 2 * tile * channels
    let target = output + tile * channels
    var channel = 0
    while channel < channels {
      let count = min(V.scalarCount, channels - channel)
      let down = WinogradColumns<V>(source + channel, pitch, channels, count)
      for i in 0..<4 {
        let row = down.transformed(row: i)
        let place = target + 4 * i * plane + channel
        storeLanes(row.a - row.c, to: place, count)
        storeLanes(row.b + row.c, to: place + plane, count)
        storeLanes(row.c - row.b, to: place + 2 * plane, count)
        storeLanes(row.b - row.d, to: place + 3 * plane, count)
      }
      channel += V.scalarCount
    }
  }
}

/// Transforms products back into tiles of a result; see ``KernelTable/winogradOutput``.
@inlinable @inline(__always)
public func winogradOutput<V: KernelVector>(
  _ products: UnsafePointer<Float>, _ plane: Int, _ channels: Int, _ tiles: Int,
  _ output: UnsafeMutablePointer<Float>, _ pitch: Int, _ pixelStride: Int, vector: V.Type
) {
  for tile in 0..<tiles {
    let source = products + tile * channels
    let target = output + 2 * tile * pixelStride
    var channel = 0
    while channel < channels {
      let count = min(V.scalarCount, channels - channel)
      let planes = WinogradColumns<V>(source + channel, 4 * plane, plane, count)
      let (top, bottom) = planes.folded()
      let place = target + channel
      storeLanes(top.a + top.b + top.c, to: place, count)
      storeLanes(top.b - top.c - top.d, to: place + pixelStride, count)
      storeLanes(bottom.a + bottom.b + bottom.c, to: place + pitch, count)
      storeLanes(bottom.b - bottom.c - bottom.d, to: place + pitch + pixelStride, count)
      channel += V.scalarCount
    }
  }
}

/// Four neighbours of a tile.
@frozen @usableFromInline
struct WinogradRow<V: KernelVector> {
  @usableFromInline var a: V
  @usableFromInline var b: V
  @usableFromInline var c: V
  @usableFromInline var d: V

  @usableFromInline @_transparent
  init(_ a: V, _ b: V, _ c: V, _ d: V) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// Four vectors `step` floats apart, of which `count` lanes exist.
  @usableFromInline @_transparent
  init(_ address: UnsafePointer<Float>, _ step: Int, _ count: Int) {
    a = loadLanes(address, count)
    b = loadLanes(address + step, count)
    c = loadLanes(address + 2 * step, count)
    d = loadLanes(address + 3 * step, count)
  }

  @usableFromInline @_transparent
  static func + (left: Self, right: Self) -> Self {
    Self(left.a + right.a, left.b + right.b, left.c + right.c, left.d + right.d)
  }

  @usableFromInline @_transparent
  static func - (left: Self, right: Self) -> Self {
    Self(left.a - right.a, left.b - right.b, left.c - right.c, left.d - right.d)
  }
}

/// The 4 × 4 vectors of a tile, with the transforms along the columns.
@frozen @usableFromInline
struct WinogradColumns<V: KernelVector> {
  @usableFromInline var first: WinogradRow<V>
  @usableFromInline var second: WinogradRow<V>
  @usableFromInline var third: WinogradRow<V>
  @usableFromInline var fourth: WinogradRow<V>

  @usableFromInline @_transparent
  init(_ address: UnsafePointer<Float>, _ pitch: Int, _ step: Int, _ count: Int) {
    first = WinogradRow(address, step, count)
    second = WinogradRow(address + pitch, step, count)
    third = WinogradRow(address + 2 * pitch, step, count)
    fourth = WinogradRow(address + 3 * pitch, step, count)
  }

  /// Row `row` of Bᵀd.
  @usableFromInline @_transparent
  func transformed(row: Int) -> WinogradRow<V> {
    switch row {
    case 0: first - third
    case 1: second + third
    case 2: third - second
    default: second - fourth
    }
  }

  /// Both rows of Aᵀm.
  @usableFromInline @_transparent
  func folded() -> (WinogradRow<V>, WinogradRow<V>) {
    (first + second + third, second - third - fourth)
  }
}

@usableFromInline @_transparent
func loadLanes<V: KernelVector>(_ address: UnsafePointer<Float>, _ count: Int) -> V {
  count == V.scalarCount
    ? loadVector(address, as: V.self) : loadPart(address, count, filler: 0, as: V.self)
}

@usableFromInline @_transparent
func storeLanes<V: KernelVector>(
  _ value: V, to address: UnsafeMutablePointer<Float>, _ count: Int
) {
  if count == V.scalarCount {
    storeVector(value, to: address)
  } else {
    storePart(value, to: address, count)
  }
}
