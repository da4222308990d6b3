import SamTensor
import Testing

/// How maps are cut into tasks.
struct PixelTasksTests {
  static let extents = [
    (0, 5), (1, 1), (1, 8), (1, 9), (2, 7), (11, 16), (16, 11), (16, 16), (3, 100), (64, 64),
  ].map { MapExtent(height: $0, width: $1) }

  @Test(arguments: extents, [1, 2, 3, 16])
  func tasksCoverEveryPixelOnceInOrder(extent: MapExtent, threads: Int) {
    let tasks = PixelTasks(extent, threads: threads)
    var next = 0
    for task in 0..<tasks.count {
      let pixels = tasks.pixels(task)
      #expect(pixels.lowerBound == next)
      #expect(!pixels.isEmpty && pixels.count <= tasks.longest && pixels.count <= 128)
      next = pixels.upperBound
    }
    #expect(next == extent.height * extent.width)
  }

  @Test(arguments: extents, [1, 2, 3, 16])
  func piecesAreTheTaskRowByRow(extent: MapExtent, threads: Int) {
    let tasks = PixelTasks(extent, threads: threads)
    for task in 0..<tasks.count {
      var next = tasks.pixels(task).lowerBound
      tasks.forEachPiece(task) { y, columns, offset in
        #expect(y * extent.width + columns.lowerBound == next)
        #expect(offset == next - tasks.pixels(task).lowerBound)
        #expect(!columns.isEmpty && columns.upperBound <= extent.width)
        next += columns.count
      }
      #expect(next == tasks.pixels(task).upperBound)
    }
  }

  /// 11 rows of 16 do not halve, 22 tiles do.
  @Test func twoThreadsGetTheSame() {
    let tasks = PixelTasks(MapExtent(height: 11, width: 16), threads: 2)
    let half = (0..<tasks.count / 2).map { tasks.pixels($0).count }.reduce(0, +)
    #expect(tasks.count.isMultiple(of: 2) && half == 88)
  }
}
