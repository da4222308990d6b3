import Foundation
import SamSwift

let session = try SamSession()
try session.setImage(URL(fileURLWithPath: CommandLine.arguments[1]))
let result = try session.predict(
  points: [SamPoint(x: 320, y: 200)], options: SamPredictOptions(quality: .accurate))
let mask = result.best
guard let picture = session.image, let box = mask.boundingBox else { exit(1) }
print("score \(mask.score), \(mask.area) pixels, from \(box.x0), \(box.y0) to \(box.x1), \(box.y1)")
let cutout = try mask.extractObject(from: picture)
