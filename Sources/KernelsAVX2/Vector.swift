/// The vector that this module instantiates every kernel template with.
typealias Vector = SIMD8<Float>

let tableName = "avx2"

/// The vector for the eight heads of SAM's decoder.
typealias HeadVector = SIMD8<Float>
