// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's, which depends on SamSwift by version. Tools/consumer/run sets the
// variable to a repository made from the working tree, tagged as a release would be.
let url = Context.environment["SAMSWIFT_REPOSITORY"] ?? "file:///path/to/SamSwift"

let package = Package(
  name: "consumer",
  dependencies: [.package(url: url, from: "0.1.0")],
  targets: [
    .executableTarget(
      name: "consumer", dependencies: [.product(name: "SamSwift", package: "SamSwift")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
