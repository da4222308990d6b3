import Foundation
import SamCommandLine

// Before anything else: the start of the concurrency runtime opens descriptors of its own.
SamCommandLine.holdStandardStreams()
Task {
  exit(await SamCommandLine.runProcess())
}
dispatchMain()
