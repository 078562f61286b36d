extension JetStreamLog {
  /// Copies all entries to another server, with equal bytes and numbers.
  ///
  /// If `ends` is true, this server accepts no further entry. Can be repeated after an interruption.
  func copy(to other: JetStreamLog, ends: Bool) async throws {
    _ = try await lastNumber()
    if ends { try await calls.run { [stream] in try stream.seal() } }
    try await catchUp()
    try await calls.run { try self.copyEntries(to: other) }
  }

  private func copyEntries(to other: JetStreamLog) throws {
    let last = try head.number
    try other.stream.create(.init(subjects: other.subject, isLog: true))
    let known = try other.stream.lastNumber() ?? 0
    if known < last {
      let subscription = try StreamSubscription(to: stream, subject: subject, from: known + 1)
      for number in known + 1...last {
        guard let message = try subscription.next(waits: true) else {
          throw LinkError.offline(server: stream.connection.server.label)
        }
        guard message.number == number else { throw LinkError.missingEntry(number) }
        guard let before = try trail.head(at: number - 1), let head = try trail.head(at: number),
          EntryChain.leads(message.bytes, from: before, to: head)
        else { throw LinkError.replacedEntry(number) }
        let copy = try other.stream.publish(
          message.bytes, on: other.subject, after: .last(number - 1), id: nil,
          timeout: NATSConnection.requestTimeout)
        guard copy == number else { throw LinkError.unacknowledged(number) }
      }
    }
    _ = try other.requireLog()
  }

  /// Appends all entries that this machine has verified to a server that does not have them.
  func restoreAll() async throws {
    try await calls.run { [trail] in
      let last = try trail.head().number
      let known = try self.stream.lastNumber() ?? 0
      if known < last { try self.restore(known + 1...last, isLoss: false) }
      _ = try self.requireLog()
    }
  }
}
