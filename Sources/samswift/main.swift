import Foundation
import SamCommandLine

let words = Array(CommandLine.arguments.dropFirst())
exit(await SamCommandLine.run(arguments: words, environment: .ofProcess()))
