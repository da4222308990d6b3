/// `samswift info`: this machine, as SamSwift sees it.
package struct InfoCommand: Command {
  package static let specification = CommandSpecification(
    name: "info", summary: "Print what SamSwift finds on this machine.",
    examples: [
      .init("CPU features, kernels, threads, and the models that are there", "samswift info")
    ])

  package init(_ arguments: ParsedArguments) throws(UsageError) {}

  package func run(in environment: CommandEnvironment) async throws {
  }
}
