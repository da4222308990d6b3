/// The vector that this module instantiates every kernel template with.
typealias Vector = SIMD4<Float>

let tableName = "baseline"

/// The vector for the eight heads of SAM's decoder.
typealias HeadVector = SIMD4<Float>
