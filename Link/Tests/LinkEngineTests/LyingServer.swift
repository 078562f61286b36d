import LinkModel

@testable import CNATS
@testable import LinkEngine

/// An attacker who controls a server and can replace its streams.
struct LyingServer {
  let connection: NATSConnection
  let stream: LinkEngine.Stream
  let subject: String

  init(_ log: JetStreamLog) {
    connection = log.stream.connection
    (stream, subject) = (log.stream, log.subject)
  }

  /// Returns the sealed entries that the server stores.
  func entries() throws -> [[UInt8]] {
    guard let count = try stream.lastNumber(), count > 0 else { return [] }
    let subscription = try StreamSubscription(to: stream, subject: subject, from: 1)
    return try (0..<count).map { _ in
      guard let message = try subscription.next(waits: true) else {
        throw Timeout(description: "no message")
      }
      return message.bytes
    }
  }

  /// Replaces all entries.
  func replace(with entries: [[UInt8]]) throws {
    var code = jsErrCode(0)
    _ = connection.withJetStream { js_DeleteStream($0, stream.name, nil, &code) }
    try stream.create(.init(subjects: subject, isLog: true))
    for entry in entries { try append(entry) }
  }

  /// Appends an entry without a condition on the last number.
  func append(_ entry: [UInt8]) throws {
    let last = try stream.lastNumber() ?? 0
    _ = try stream.publish(entry, on: subject, after: .last(last), id: nil, timeout: 5_000)
  }

  /// Replaces the entries by the result of `body`.
  func change(_ body: (inout [[UInt8]]) -> Void) throws {
    var entries = try entries()
    body(&entries)
    try replace(with: entries)
  }
}
