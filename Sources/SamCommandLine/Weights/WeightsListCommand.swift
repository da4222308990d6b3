import SamWeightStore

/// `samswift weights list`: the models that have a name, and where they are.
package struct WeightsListCommand: Command {
  static let json = Option.flag("json", "Print JSON, for another program.")

  package static let specification = CommandSpecification(
    name: "list", summary: "List the models, and which of them are on this machine.",
    discussion: [
      "Downloaded weights lie in $SAMSWIFT_HOME, else in $XDG_CACHE_HOME/samswift, else in "
        + "~/.cache/samswift."
    ],
    options: [.init("Result", [json])],
    examples: [.init("Name, size, state, place and licence of each", "samswift weights list")])

  let wantsJSON: Bool

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    wantsJSON = arguments.has(Self.json)
  }

  package func run(in environment: CommandEnvironment) async throws {
    let store = try WeightStore(variables: environment.variables)
    if wantsJSON {
      try environment.print(JSONValue.array(store.models.map { json($0, in: store) }).indented)
      return
    }
    for model in store.models {
      let state: String
      switch (store.locate(model), model.source) {
      case (_?, .bundled): state = "part of SamSwift"
      case (_?, .download): state = "present"
      case (nil, .bundled): state = "missing"
      case (nil, .download): state = "not downloaded"
      }
      let columns = [(model.name, 12), (byteCount(model.size), 10), (state, 18)]
      let row = columns.map { $0.0.padded(to: $0.1) }.joined()
      try environment.print(row + (store.place(of: model)?.path ?? "nowhere"))
      try environment.print("".padded(to: 12) + model.summary + "; licence: " + model.licence)
    }
  }

  private func json(_ model: CatalogueModel, in store: WeightStore) -> JSONValue {
    let isPresent = store.locate(model) != nil
    var members: [(name: String, value: JSONValue)] = [
      ("name", .string(model.name)), ("summary", .string(model.summary)),
      ("licence", .string(model.licence)), ("size", .integer(model.size)),
      ("sha256", .string(model.checksum)), ("present", .bool(isPresent)),
      ("path", store.place(of: model).map { .string($0.path) } ?? .null),
    ]
    if case .download(let address, _) = model.source {
      members.append(("address", .string(address)))
    }
    return .object(members)
  }
}
