import SamWeightStore

/// `samswift weights download NAME`: fetches a model's weights once.
package struct WeightsDownloadCommand: Command {
  package static let specification = CommandSpecification(
    name: "download", summary: "Fetch a model's weights, once.",
    discussion: [
      "The file gets its name when its length and SHA-256 are right. An interrupted download goes "
        + "on where it ended. Prints where the file lies.",
      "Proxies are taken from http_proxy, https_proxy and no_proxy. SAMSWIFT_MOBILE_SAM_URL names "
        + "another address for mobile-sam, such as a mirror's; for other weights of the same "
        + "network set SAMSWIFT_MOBILE_SAM_SIZE and SAMSWIFT_MOBILE_SAM_SHA256 too.",
    ],
    arguments: [.init("NAME", "The model: mobile-sam.")],
    examples: [
      .init(
        "MobileSAM's official weights, 40.7 MB", "samswift weights download mobile-sam",
        needsNetwork: true)
    ])

  let name: String

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    name = arguments["NAME"]
  }

  package func run(in environment: CommandEnvironment) async throws {
    let store = try WeightStore(variables: environment.variables)
    let model = try WeightsArgument.model(name, in: store)
    guard case .download(let address, _) = model.source else {
      let file = try store.requireFile(of: model)
      environment.say("\(name) is part of SamSwift; there is nothing to download")
      return try environment.print(file.path)
    }
    if let file = store.locate(model) {
      environment.say("\(name) is there already")
      return try environment.print(file.path)
    }
    environment.say("Downloading \(name), \(byteCount(model.size)), from \(address)")
    let line = ProgressLine(environment)
    defer { line.clear() }
    let bar = DownloadBar { line.show($0) }
    let file = try await store.download(model) { bar.update($0) }
    line.clear()
    try environment.print(file.path)
  }
}
