import SamSwift

/// A picture of the objects that went worst and best: the mask after the last measured click in
/// pink, the truth's outline in white, the clicks in green and red.
struct ContactSheet {
  private static let columns = 4
  private static let gap = 8
  private static let tile = (width: 240, height: 180)
  private static let captionHeight = 2 * (TinyFont.lineHeight + 2) + 4
  private static let headingHeight = TinyFont.lineHeight * 2

  /// One object.
  private struct Case {
    let iou: Double
    let picture: PixelImage
    let captions: [String]
  }

  private let cases: Int
  /// Sorted, the most extreme first.
  private var worst: [Case] = []
  private var best: [Case] = []

  /// Keeps so many cases at each end; 0 makes no sheet.
  init(cases: Int) {
    self.cases = cases
  }

  /// Takes an object, if it is among the worst or the best so far.
  mutating func add(
    _ result: ObjectResult, of photograph: PixelImage, _ finished: PictureTrial.Finished
  ) {
    guard cases > 0, let score = result.scores[.click5] else { return }
    let isWorst = worst.count < cases || worst.last.map { score.iou < $0.iou } ?? true
    let isBest = best.count < cases || best.last.map { score.iou > $0.iou } ?? true
    guard isWorst || isBest else { return }
    let thumbnail = CaseThumbnail(
      photograph, mask: finished.mask, truth: finished.trial.object.truth,
      clicks: finished.clicks, width: Self.tile.width, height: Self.tile.height)
    let name = result.picture.split(separator: ".").dropLast().joined(separator: ".")
    let new = Case(
      iou: score.iou, picture: thumbnail.image,
      captions: [
        name, "#\(result.label)  IOU \(Self.percent(score.iou))  F \(Self.percent(score.boundary))",
      ])
    if isWorst { Self.insert(new, into: &worst, limit: cases) { $0.iou < $1.iou } }
    if isBest { Self.insert(new, into: &best, limit: cases) { $0.iou > $1.iou } }
  }

  private static func insert(
    _ new: Case, into list: inout [Case], limit: Int, before: (Case, Case) -> Bool
  ) {
    let place = list.firstIndex { before(new, $0) } ?? list.count
    list.insert(new, at: place)
    if list.count > limit { list.removeLast() }
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The sheet; nil without cases.
  var image: PixelImage? {
    guard !worst.isEmpty else { return nil }
    let sections = [("WORST AFTER 5 CLICKS", worst), ("BEST AFTER 5 CLICKS", best)]
    let rowHeight = Self.tile.height + Self.captionHeight + Self.gap
    let rows = sections.map { ($0.1.count + Self.columns - 1) / Self.columns }
    var canvas = Canvas(
      width: Self.gap + Self.columns * (Self.tile.width + Self.gap),
      height: Self.gap + rows.reduce(0, +) * rowHeight + sections.count * Self.headingHeight)
    var top = Self.gap
    for ((heading, cases), rows) in zip(sections, rows) {
      canvas.write(heading, x: Self.gap, y: top, color: (255, 255, 255))
      top += Self.headingHeight
      for (index, shown) in cases.enumerated() {
        let x = Self.gap + index % Self.columns * (Self.tile.width + Self.gap)
        let y = top + index / Self.columns * rowHeight
        canvas.draw(
          shown.picture, x: x + (Self.tile.width - shown.picture.width) / 2,
          y: y + Self.tile.height - shown.picture.height)
        for (line, text) in shown.captions.enumerated() {
          canvas.write(
            String(text.prefix(Self.tile.width / TinyFont.advance)), x: x,
            y: y + Self.tile.height + 4 + line * (TinyFont.lineHeight + 2), color: (200, 200, 200))
        }
      }
      top += rows * rowHeight
    }
    return canvas.image
  }
}
