import DBus
import DragModel
import DragboardStore
import Files

/// The delivery of contents to clients, as values in a reply or as files.
struct ContentReader {
  /// The maximum number of bytes of an array or a text in a reply.
  static let maxReplyBytes = 64 << 20

  let largeReads: LargeReads
  let copies: ClientCopies

  /// Calls `then` with bytes as the text of a D-Bus string.
  ///
  /// If there are few bytes, `then` is called at once. Otherwise it is called after the bytes have
  /// been read on another thread.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - command: the call that requests the bytes. A large content is read after the commit of its
  ///     step.
  ///   - reply: the reply, which is refused if the step is rolled back.
  ///   - member: the method that the error suggests if the content is too large for one reply.
  ///   - then: receives the text or an error: LimitsExceeded or IOError.
  func readText<each O: BusValue>(
    _ bytes: Payload, for command: Command, answering reply: Reply<repeat each O>,
    insteadUse member: String, then: @escaping (Step, Result<String, DBusError>) -> Void
  ) {
    if let few = bytes.inlineBytes {
      return then(command.step, Self.text(of: few, insteadUse: member))
    }
    run(bytes, command, answering: reply, insteadUse: member, then) {
      do throws(StoreError) {
        return Self.text(of: try bytes.read(), insteadUse: member)
      } catch { return .failure(error.answer) }
    }
  }

  /// Calls `then` with the bytes of a content.
  ///
  /// If the bytes are in memory, `then` is called at once. Otherwise it is called after they have
  /// been read on another thread.
  ///
  /// The parameters are the same as in ``readText(_:for:answering:insteadUse:then:)``.
  func read<each O: BusValue>(
    _ bytes: Payload, for command: Command, answering reply: Reply<repeat each O>,
    insteadUse member: String, then: @escaping (Step, Result<[UInt8], DBusError>) -> Void
  ) {
    if let data = bytes.inMemory, data.count <= Self.maxReplyBytes {
      return then(command.step, .success(data))
    }
    run(bytes, command, answering: reply, insteadUse: member, then) {
      Result { () throws(StoreError) in try bytes.read() }.mapError(\.answer)
    }
  }

  /// Calls `then` with a file that contains the bytes.
  ///
  /// See ``ClientCopies``.
  func open<each O: BusValue>(
    _ bytes: Payload, for command: Command, answering reply: Reply<repeat each O>,
    then: @escaping (Step, Result<FileDescriptor, DBusError>) -> Void
  ) {
    let access = command.access
    command.step.afterCommit(answering: reply) { copies.open(bytes, for: access, then: then) }
  }

  private func run<Output: Sendable, each O: BusValue>(
    _ bytes: Payload, _ command: Command, answering reply: Reply<repeat each O>,
    insteadUse member: String, _ then: @escaping (Step, Result<Output, DBusError>) -> Void,
    work: @escaping @Sendable () -> Result<Output, DBusError>
  ) {
    guard bytes.byteCount <= Self.maxReplyBytes else {
      return then(
        command.step, .failure(.tooLargeForReply(bytes.byteCount, insteadUse: member)))
    }
    let holder = command.access.holder
    command.step.afterCommit(answering: reply) {
      largeReads.run(for: holder, bytes: bytes.byteCount, work, then: then)
    }
  }

  private static func text(
    of bytes: [UInt8], insteadUse member: String
  ) -> Result<String, DBusError> {
    let text = WireText.sanitized(String(decoding: bytes, as: UTF8.self))
    guard text.utf8.count <= maxReplyBytes else {
      return .failure(.tooLargeForReply(text.utf8.count, insteadUse: member))
    }
    return .success(text)
  }
}

extension DBusError {
  fileprivate static func tooLargeForReply(
    _ byteCount: Int, insteadUse member: String
  ) -> DBusError {
    DBusError(
      .limitsExceeded,
      "reply: \(byteCount) bytes are too many (at most 64 MiB; use \(member) for a file)"
    )
  }
}
