/// The vector that this module instantiates every kernel template with.
typealias Vector = SIMD16<Float>

let tableName = "avx512"

/// The vector for the eight heads of SAM's decoder.
typealias HeadVector = SIMD8<Float>
