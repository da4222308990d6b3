import Foundation
import SamSwift

/// `samswift batch`: many pictures through one process; a filter from JSON lines to JSON lines.
package struct BatchCommand: Command {
  static let resume = Option.value(
    "resume", "OUT",
    "Append the answers to this file, and skip the requests that it answers already. The half line of "
      + "a run that was cut off is removed first.")
  static let longest = Option.value(
    "max-line", "BYTES",
    "The longest request that is read, 1000 to 1000000000; \(defaultLongest) if left out.")

  private static let defaultLongest = 1 << 20

  package static let specification = CommandSpecification(
    name: "batch",
    summary: "Answer many requests, one a line, with the model loaded once.",
    discussion: [
      "Reads one JSON object a line from standard input and answers each with one line, in the same "
        + "order, at once. A request that fails is answered with its error, and the next one is read.",
      "A request: image (a file), and what to find: points ([x, y], or [x, y, 0] for a place that is "
        + "not on the object), box ([x0, y0, x1, y1]), scribble (a file), all in pixels; or prompts, a "
        + "list of objects with these; or everything: true, or an object with points_per_side, "
        + "min_score, min_stability, max_overlap, crop_layers, min_area. Wanted results, beside those or "
        + "in each prompt: mask, cutout, overlay (PNG or JPEG files to write), segmentation (true: the "
        + "mask as COCO run lengths in the answer); with everything: records, labels, overlay (files; "
        + "without records they come in the answer). Besides: id (text or a whole number; the number of "
        + "the line if left out), quality, embedding (what 'samswift embed' wrote), save_embedding (a "
        + "file to write).",
      "An answer: id, image, width, height, and results with score, box ([x0, y0, x1, y1] or null), "
        + "area and files for each prompt, or records, or error.",
    ],
    options: [.init("Lines", [resume, longest]), ModelOptions.group],
    examples: [
      .init(
        "Requests from a file; run it again after it was cut off",
        "samswift batch --resume answers.jsonl < requests.jsonl")
    ])

  let resume: String?
  let longest: Int
  let model: ModelOptions

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    resume = arguments.value(Self.resume)
    longest =
      try arguments.value(Self.longest, .wholeNumber(1000...1_000_000_000)) ?? Self.defaultLongest
    model = try ModelOptions(arguments)
  }

  package func run(in environment: CommandEnvironment) async throws {
    let ledger = try resume.map { try BatchLedger($0, in: environment) }
    let output: any ByteSink = ledger ?? environment.output
    environment.sayKernelNotice()
    let session = try SamSession(
      model: model.model(in: environment), configuration: model.configuration)
    let worker = BatchWorker(session: session, environment: environment)
    let progress = BatchProgress(
      environment, isShown: ledger != nil || !environment.outputIsTerminal)
    defer { progress.clear() }

    var lines = BoundedLines(limit: longest, read: environment.readChunk)
    var number = 0
    while let line = try lines.next() {
      number += 1
      let request = BatchLine(line, number: number)
      if request.isBlank { continue }
      if let ledger, ledger.holds(request.id) {
        progress.skipped()
        continue
      }
      let answer = await worker.answer(request)
      try output.write(answer.line + "\n")
      progress.answered(isFailure: answer.isFailure)
    }
    progress.clear()
    if let summary = progress.summary { environment.say(summary) }
  }
}
