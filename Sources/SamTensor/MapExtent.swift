/// The part of a map, from its upper left corner, that an operation computes.
package struct MapExtent: Sendable, Equatable {
  package let height: Int
  package let width: Int

  package init(height: Int, width: Int) {
    self.height = height
    self.width = width
  }
}

extension FeatureMap {
  /// All of it.
  package var extent: MapExtent { MapExtent(height: height, width: width) }
}
