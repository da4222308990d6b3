/// The vector that this module instantiates every kernel template with.
typealias Vector = SIMD8<Float>

let tableName = "avx2"
