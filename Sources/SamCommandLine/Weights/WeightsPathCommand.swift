import SamWeightStore

/// `samswift weights path NAME`: where a model's file lies.
package struct WeightsPathCommand: Command {
  package static let specification = CommandSpecification(
    name: "path", summary: "Print where a model's weights lie.",
    discussion: ["Fails where they are not on this machine."],
    arguments: [.init("NAME", "The model: lite or mobile-sam.")],
    examples: [
      .init("Look into the weights with another program", "samswift weights path lite")
    ])

  let name: String

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    name = arguments["NAME"]
  }

  package func run(in environment: CommandEnvironment) async throws {
    let store = try WeightStore(variables: environment.variables)
    let model = try WeightsArgument.model(name, in: store)
    try environment.print(try store.requireFile(of: model).path)
  }
}
