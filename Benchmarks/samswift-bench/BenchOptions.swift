/// What the command line asks for.
struct BenchOptions {
  /// A benchmark runs where its name contains one of them; all run where there are none.
  var filters: [String] = []
  /// Where the JSON report goes; `-` is standard output.
  var json: String?
  /// One iteration of everything: shows that it runs, says nothing about speed.
  var isQuick = false
  var listsOnly = false
  var wantsHelp = false
  /// Seconds for each benchmark.
  var seconds = 2.0

  static let help = """
    Usage: samswift-bench [--filter TEXT]... [--seconds N] [--json FILE] [--quick] [--list]

    Times the network, the masks, whole runs of the command, and each kernel on the network's real shapes.
    Medians are what to quote; compare only figures of one run on one machine.

      --filter TEXT   run the benchmarks whose names contain TEXT (repeatable: any of them)
      --seconds N     time for each benchmark, default 2
      --json FILE     write the report as JSON too; - is standard output (the table then goes to standard error)
      --quick         one iteration each: whether it runs, not how fast
      --list          print the names only

    MobileSAM is benchmarked with the checkpoint in $SAMSWIFT_REFERENCE (mobile_sam_synthetic.pt), by default
    ../shared/reference, and left out where there is none.

    Example: samswift-bench --filter encode/lite --seconds 5
    """

  init(_ arguments: [String]) throws(BenchError) {
    var rest = arguments[...]
    func value(_ option: String) throws(BenchError) -> String {
      guard let value = rest.popFirst() else { throw .usage("\(option) wants a value") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--filter": filters.append(try value(argument))
      case "--json": json = try value(argument)
      case "--quick": isQuick = true
      case "--list": listsOnly = true
      case "--help", "-h": wantsHelp = true
      case "--seconds":
        let text = try value(argument)
        guard let number = Double(text), number > 0, number <= 600 else {
          throw .usage("--seconds wants a number above 0 and at most 600, got “\(text)”")
        }
        seconds = number
      default: throw .usage("unknown argument “\(argument)”; see samswift-bench --help")
      }
    }
  }

  func includes(_ name: String) -> Bool {
    filters.isEmpty || filters.contains { name.contains($0) }
  }
}

/// Why the bench cannot run.
enum BenchError: Error, CustomStringConvertible {
  case usage(String)
  case failed(String)

  var description: String {
    switch self {
    case .usage(let text), .failed(let text): text
    }
  }

  var exitCode: Int32 {
    switch self {
    case .usage: 64
    case .failed: 1
    }
  }
}
