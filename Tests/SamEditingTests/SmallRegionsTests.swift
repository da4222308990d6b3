import SamEditing
import SamImageIO
import Testing

/// The expected masks are those of SAM's `remove_small_regions`, holes first and then islands.
struct SmallRegionsTests {
  private func runs(_ rows: [String]) -> MaskRuns {
    let pixels = rows.joined().map { $0 == "#" ? UInt8(255) : 0 }
    return MaskRuns(
      PixelImage(width: rows[0].count, height: rows.count, channels: 1, pixels: pixels))
  }

  @Test func fillsHolesAndRemovesIslands() {
    let mask = runs([
      "#####...",
      "#.###..#",
      "#####...",
      "##..#...",
      "#####...",
    ])
    #expect(
      mask.withoutSmallRegions(below: 3)
        == runs([
          "#####...",
          "#####...",
          "#####...",
          "#####...",
          "#####...",
        ]))
    #expect(
      mask.withoutSmallRegions(below: 2)
        == runs([
          "#####...",
          "#####...",
          "#####...",
          "##..#...",
          "#####...",
        ]))
    #expect(mask.withoutSmallRegions(below: 1) == nil)
  }

  @Test func cornersConnect() {
    #expect(runs(["##.", "##.", "..#"]).withoutSmallRegions(below: 3) == nil)
    // The background in the corner is small, and so it is a hole.
    #expect(
      runs(["###", "###", "##."]).withoutSmallRegions(below: 2) == runs(["###", "###", "###"]))
  }

  @Test func theLargestIslandStaysWhereAllAreSmall() {
    #expect(
      runs(["#....", "...##", ".....", "##..."]).withoutSmallRegions(below: 4)
        == runs([".....", "...##", ".....", "....."]))
  }

  @Test func extremesStayWhatTheyAre() {
    #expect(runs(["...", "..."]).withoutSmallRegions(below: 3) == nil)
    #expect(runs(["###", "###"]).withoutSmallRegions(below: 3) == nil)
    #expect(runs(["#"]).withoutSmallRegions(below: 9) == runs(["#"]))
    // Holes are filled before islands are looked at.
    #expect(runs(["..", ".."]).withoutSmallRegions(below: 9) == runs(["##", "##"]))
  }
}
