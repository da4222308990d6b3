import Foundation

// Options, the list of benchmarks, and where results go; each part has its own file.

do {
  let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
  if options.wantsHelp {
    print(BenchOptions.help)
    exit(0)
  }
  try BenchRun(options).start()
} catch {
  FileHandle.standardError.write(Data("samswift-bench: \(error)\n".utf8))
  exit(error.exitCode)
}
