import Foundation
import Synchronization

/// A small HTTP server on the loopback interface, which can also misbehave.
///
/// It answers each request by a closure, one thread a connection, one request a connection.
public final class LoopbackServer: Sendable {
  /// What a client asked for.
  public struct Request: Sendable {
    /// `GET`, and so on.
    public let method: String
    /// The path, or the whole address where the client takes this server for a proxy.
    public let path: String
    /// The headers by their names in lower case.
    public let headers: [String: String]

    /// The first byte of `Range: bytes=FIRST-`, or nil.
    public var rangeStart: Int? {
      guard let range = headers["range"], range.hasPrefix("bytes="), range.hasSuffix("-") else {
        return nil
      }
      return Int(range.dropFirst("bytes=".count).dropLast())
    }
  }

  /// What the server sends.
  public struct Response: Sendable {
    /// 200, 404 and so on.
    public var status = 200
    /// Headers beside the length.
    public var headers: [(name: String, value: String)] = []
    /// What follows the headers.
    public var body: [UInt8] = []
    /// Whether the length is announced; otherwise the end of the connection ends the body.
    public var announcesLength = true
    /// Closes the connection after so many bytes of the body.
    public var cutAfter: Int?
    /// Called when half of the body is sent; the rest waits until it returns.
    public var atHalf: (@Sendable () -> Void)?

    /// An answer; without arguments an empty file.
    public init(
      status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
      announcesLength: Bool = true, cutAfter: Int? = nil, atHalf: (@Sendable () -> Void)? = nil
    ) {
      self.status = status
      self.headers = headers
      self.body = body
      self.announcesLength = announcesLength
      self.cutAfter = cutAfter
      self.atHalf = atHalf
    }

    /// A file, or the part of it that the request asks for.
    public static func file(_ bytes: [UInt8], for request: Request) -> Response {
      guard let start = request.rangeStart else { return Response(body: bytes) }
      guard start < bytes.count else { return Response(status: 416) }
      return Response(
        status: 206,
        headers: [("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")],
        body: Array(bytes[start...]))
    }
  }

  /// The port that it listens on.
  public let port: Int
  private let socket: Int32
  private let handler: @Sendable (Request) -> Response
  private let log = Mutex<[Request]>([])

  /// What could not be set up.
  public struct SetupError: Error {
    let step: String
    let code: Int32
  }

  /// Listens on a free port until the object goes.
  public init(_ handler: @escaping @Sendable (Request) -> Response) throws {
    self.handler = handler
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw SetupError(step: "socket", code: errno) }
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) == 0 && listen(socket, 16) == 0
          && getsockname(socket, pointer, &length) == 0
      }
    }
    guard bound else {
      let code = errno
      close(socket)
      throw SetupError(step: "bind", code: code)
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [weak self] in
      // Closed here and nowhere else: the number could by then mean another test's socket.
      defer { close(socket) }
      while true {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { return }
        guard let server = self else {
          close(connection)
          return
        }
        Thread.detachNewThread { server.serve(connection) }
      }
    }
  }

  deinit {
    // Ends the waiting `accept`, and every later one.
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// The address of a path on this server.
  public func address(_ path: String = "/weights.bin") -> String {
    "http://127.0.0.1:\(port)\(path)"
  }

  /// Every request so far, in order.
  public var requests: [Request] { log.withLock { $0 } }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    guard let request = Self.read(connection) else { return }
    log.withLock { $0.append(request) }
    let response = handler(request)
    var head = "HTTP/1.1 \(response.status) Status\r\nConnection: close\r\n"
    for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
    if response.announcesLength { head += "Content-Length: \(response.body.count)\r\n" }
    guard Self.send(connection, Array((head + "\r\n").utf8)[...]) else { return }
    let body = response.body.prefix(response.cutAfter ?? .max)
    guard Self.send(connection, body.prefix(body.count / 2)) else { return }
    response.atHalf?()
    _ = Self.send(connection, body.dropFirst(body.count / 2))
    shutdown(connection, Int32(SHUT_WR))
    // Until the client closes: closing first could take back what it has not read yet.
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0, bytes.count < 65_536 else { return nil }
      bytes += chunk.prefix(count)
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return Request(method: String(words[0]), path: String(words[1]), headers: headers)
  }

  private static func send(_ connection: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
