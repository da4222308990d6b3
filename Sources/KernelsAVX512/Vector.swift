/// The vector that this module instantiates every kernel template with.
typealias Vector = SIMD16<Float>

let tableName = "avx512"
