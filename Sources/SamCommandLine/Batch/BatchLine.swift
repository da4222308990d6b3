import Foundation

/// One line of the input, read as far as it can be.
struct BatchLine: Sendable {
  let number: Int
  let id: BatchID
  let request: Result<BatchRequest, BatchError>
  /// Nothing but spaces.
  let isBlank: Bool

  /// Brackets that a request may open inside each other; its own need four.
  private static let deepest = 16

  init(_ line: BoundedLines.Line, number: Int) {
    self.number = number
    switch line {
    case .tooLong(let limit):
      id = .number(number)
      request = .failure(.lineTooLong(limit: limit))
      isBlank = false
    case .text(let bytes, _):
      isBlank = bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      guard Self.depth(bytes) <= Self.deepest else {
        id = .number(number)
        request = .failure(.tooDeep(limit: Self.deepest))
        return
      }
      let data = Data(bytes)
      let decoder = JSONDecoder()
      id = (try? decoder.decode(BatchIdentity.self, from: data))?.id ?? .number(number)
      request = Result { () throws(BatchError) in
        do {
          _ = try decoder.decode(BatchIdentity.self, from: data)
          return try decoder.decode(BatchRequest.self, from: data)
        } catch let error as BatchError {
          throw error
        } catch DecodingError.dataCorrupted {
          throw .notJSON(reason: "see whether quotes, commas and brackets are in their places")
        } catch DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty {
          throw .badMember("the line", wanted: "an object")
        } catch {
          throw .badMember("id", wanted: "text or a whole number")
        }
      }
    }
  }

  /// How deep brackets nest; those in texts do not count.
  private static func depth(_ bytes: [UInt8]) -> Int {
    var (depth, deepest, isInText, isEscaped) = (0, 0, false, false)
    for byte in bytes {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}

/// The one member that requests and answers share.
struct BatchIdentity: Decodable {
  let id: BatchID?
}
