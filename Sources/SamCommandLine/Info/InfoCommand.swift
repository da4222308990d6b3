import Foundation
import SamTensor
import SamWeightStore

/// `samswift info`: this machine, as SamSwift sees it.
package struct InfoCommand: Command {
  package static let specification = CommandSpecification(
    name: "info", summary: "Print what SamSwift finds on this machine.",
    examples: [
      .init("CPU features, kernels, threads, and the models that are there", "samswift info")
    ])

  package init(_ arguments: ParsedArguments) throws(UsageError) {}

  package func run(in environment: CommandEnvironment) async throws {
    let processor = Processor()
    let others = Kernels.available.filter { $0 != Kernels.current.name }
    var rows = [
      ("samswift", SamCommandLine.version),
      ("CPU", processor.name),
      ("features", processor.features.joined(separator: " ")),
      ("kernels", "\(Kernels.current.name) (also here: \(others.joined(separator: ", ")))"),
      (
        "OpenBLAS",
        OpenBLASLibrary.shared.map { "\($0.coreName) core, \($0.configuration)" }
          ?? "not installed"
      ),
      ("threads", String(Parallel.coreCount)),
    ]
    if let notice = environment.kernelNotice() { rows.append(("note", notice)) }
    let store = try WeightStore(variables: environment.variables)
    for model in store.models {
      let place = store.locate(model)?.path
      rows.append((model.name, place ?? "not here: samswift weights download \(model.name)"))
    }
    for (name, value) in rows {
      try environment.print(name + String(repeating: " ", count: 12 - name.count) + value)
    }
  }
}
