import Foundation
import SamCommandLine

exit(await SamCommandLine.runProcess())
