import SamCommandLine
import Testing

/// Wrong command lines: exit code 64, nothing on standard output, and a way out on standard error.
struct UsageTests {
  @Test(arguments: [
    ([], "a command is missing. Use one of: "),
    (["segmnet"], "there is no command 'segmnet'. Did you mean 'segment'?"),
    (["frobnicate"], "there is no command 'frobnicate'. Use one of: "),
    (["--versoin"], "there is no option '--versoin'. Did you mean '--version'?"),
    (["segment"], "IMAGE is missing"),
    (["segment", "a.png"], "nothing says what to segment. Add --point X,Y"),
    (["segment", "a.png", "b.png", "--point", "1,1"], "'b.png' is one argument too many."),
    (["segment", "a.png", "--point"], "--point needs a value: --point X,Y"),
    (["segment", "a.png", "--point", "--all"], "--point needs a value: --point X,Y"),
    (["segment", "a.png", "--point", "1"], "--point '1' is not right: it must be two numbers"),
    (["segment", "a.png", "--point", "nan,1"], "--point 'nan,1' is not right"),
    (
      ["segment", "a.png", "--box", "1,2,3"], "--box '1,2,3' is not right: it must be two opposite"
    ),
    (["segment", "a.png", "--point", "1,1", "--pionts", "2,2"], "Did you mean '--point'?"),
    (
      ["segment", "a.png", "--point", "1,1", "--quality", "best"],
      "--quality 'best' is not right: it must be one of fast, balanced, accurate"
    ),
    (
      ["segment", "a.png", "--point", "1,1", "--model", "sam"],
      "--model 'sam' is not right: it must be one of lite, mobile-sam"
    ),
    (
      ["segment", "a.png", "--point", "1,1", "--as", "gif"],
      "--as 'gif' is not right: it must be one of mask, cutout, overlay, json"
    ),
    (["segment", "a.png", "--point", "1,1", "--threads", "0"], "a whole number from 1 to 1024"),
    (["segment", "a.png", "--point", "1,1", "--precision", "f64"], "one of auto, f32, bf16"),
    (["segment", "a.png", "--point", "1,1", "--verbose=yes"], "--verbose takes no value"),
    (
      ["segment", "a.png", "--point", "1,1", "-o", "a", "-o", "b"],
      "--output is given more than once"
    ),
    (
      ["segment", "a.png", "--point", "1,1", "--model", "lite", "--weights", "w"],
      "--model and --weights exclude each other"
    ),
    (["segment", "a.png", "--point", "1,1", "-o", "m.webp"], ".webp is none of them. Use .png"),
    (["segment", "a.png", "--point", "1,1", "-o", "m.jpg", "--as", "cutout"], "transparency"),
    (["segment", "a.png", "--point", "1,1", "-o", "m.json", "--as", "mask"], "Change one of them"),
    (["segment", "a.png", "--point", "1,1", "-o", "-", "--all"], "--all writes several pictures"),
    (
      ["segment", "a.png", "--scribble", "s.png", "--box", "1,1,9,9"],
      "--scribble goes with --point and --exclude, not with --box"
    ),
    (["segment", "-", "--scribble", "-"], "cannot both be standard input. Name one file"),
    (["lift", "-", "--scribble", "-"], "cannot both be standard input. Name one file"),
    (["segment", "a.png", "--scribble", "s.png", "--all"], "a scribble has one reading only"),
    (["info", "extra"], "'extra' is one argument too many"),
    (["info", "--verbose"], "there is no option '--verbose'"),
  ])
  func saysHowToPutItRight(_ words: [String], _ message: String) async throws {
    let folder = try ScratchFolder()
    let run = await CommandRun(words, in: folder)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("error: "))
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.contains("--help'"))
    #expect(try folder.names().isEmpty)
  }
}
