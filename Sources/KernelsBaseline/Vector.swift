/// The vector that this module instantiates every kernel template with.
typealias Vector = SIMD4<Float>

let tableName = "baseline"
