public import LinkModel

extension JetStreamContents {
  /// Removes the contents that no row has.
  ///
  /// An edit that is on its way to the log can refer to a content that no row has yet, so this
  /// content may be removed. The machine that made the edit therefore stores the content again a
  /// few minutes later: see `Replicator.confirmContents`.
  ///
  /// - Parameters:
  ///   - age: the minimum time since the upload of a content that is removed.
  ///   - used: returns the contents of all boards; nil if they are not known now. It is called
  ///     after the contents on the server have been listed.
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

  /// Returns the names of the contents whose parts are all at least as old as `age`.
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
