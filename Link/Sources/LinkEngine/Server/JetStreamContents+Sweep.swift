public import LinkModel

extension JetStreamContents {
  /// Removes the contents that no row has.
  ///
  /// An edit that is on its way to the log can refer to a content that no row has yet. Its machine
  /// therefore stores the content again a few minutes after the edit: see `Replicator.confirmContents`.
  ///
  /// - Parameters:
  ///   - age: the time since the upload, before which a content stays.
  ///   - used: returns the contents of all boards; nil if they are not known now. It is called after
  ///     the contents of the server have been listed.
  /// - Returns: the number of removed contents.
  /// - Throws: `LinkError`, and the error of `used`.
  @discardableResult
  public func sweep(
    olderThan age: Duration, used: () async throws -> Set<ContentHash>?
  ) async throws -> Int {
    let old = try await calls.run { try self.names(olderThan: age) }
    guard !old.isEmpty, let used = try await used() else { return 0 }
    let unused = old.subtracting(used.map { keys.name(of: "content", $0.bytes) })
    try await calls.run {
      for name in unused { try self.stream.purge("\(self.prefix).\(name).*") }
    }
    return unused.count
  }

  /// The names of the contents without a part that is younger.
  private func names(olderThan age: Duration) throws(LinkError) -> Set<String> {
    try requireStream()
    var (old, young): (Set<String>, Set<String>) = ([], [])
    for part in try stream.parts(on: "\(prefix).*.*") {
      let name = part.subject.dropFirst(prefix.count + 1).prefix { $0 != "." }
      if part.age < age { young.insert(String(name)) } else { old.insert(String(name)) }
    }
    return old.subtracting(young)
  }
}
