// In front of the standard library's generic functions, which the optimiser sometimes leaves as weak
// functions in the objects: the linker would share them with the rest of the program.

/// The smaller of two counts.
@usableFromInline @_transparent
func min(_ a: Int, _ b: Int) -> Int { a < b ? a : b }

/// The larger of two counts.
@usableFromInline @_transparent
func max(_ a: Int, _ b: Int) -> Int { a > b ? a : b }
