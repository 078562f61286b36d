extension Replicator {
  /// Edits the daemon's board until it equals the visible board.
  ///
  /// - Returns: false if a local client has edited the board in the meantime, or if `pull` must check first that
  ///   the daemon's board is still the board of the replica.
  public func push() async throws -> Bool {
    guard replica.intent == nil, let start = replica.revision else { return false }
    guard !replica.isSynced, !replica.isSettled || hasNews || !arrived.isEmpty else { return true }
    try await findMissingContents()
    var board = replica.shadow
    let (visible, waiting) = visibleWithoutMissing()
    let edits = board.transform(into: visible, touched: replica.dirty)
    board = SharedBoard()
    let end = waiting.isEmpty ? ReplicaEvent.synced : .settled(waiting: waiting.sorted())
    var rest = edits[...]
    var (revision, limit) = (start, Self.maxEdits)
    while !rest.isEmpty {
      // An earlier copy of the board that was edited further can have the same revision.
      guard isVerified else { return false }
      let part = Self.firstPart(of: rest, maxEdits: limit)
      do {
        guard let next = try await push(Array(part), base: revision) else {
          try await record([.cancelled])
          return false
        }
        revision = next
      } catch let error as ExcessiveEdits {
        // The limit can be exceeded, because the daemon also counts the bytes of rows that get a
        // new name, and these bytes are not known here.
        try await record([.cancelled])
        guard part.count > 1 else { throw error }
        limit = part.count / 2
        continue
      }
      rest = rest.dropFirst(part.count)
      // The daemon may have started again since the last pull.
      let news = news(try await history(of: revision))
      try await record(
        [.applied(revision: revision)] + news + (rest.isEmpty ? [end] : []))
    }
    if edits.isEmpty, end == .synced || !replica.isSettled { try await record([end]) }
    for hash in edits.flatMap(\.storedContents) { arrived[hash] = nil }
    hasNews = false
    return true
  }

  /// Returns the visible board without the contents that are missing, and the rows that wait for
  /// them.
  private func visibleWithoutMissing() -> (SharedBoard, waiting: Set<RowKey>) {
    var board = replica.visible
    guard !missing.isEmpty else { return (board, []) }
    var waiting: Set<RowKey> = []
    for key in replica.dirty.rows {
      guard let row = board[key],
        row.representations.storedContents.contains(where: { missing[$0] != nil }),
        row.representations != replica.shadow[key]?.representations
      else { continue }
      waiting.insert(key)
      if let old = replica.shadow[key] {
        _ = board.change(key) { $0.representations = old.representations }
      } else {
        _ = board.remove(key)
      }
    }
    return (board, waiting)
  }

  /// Makes one edit of the daemon's board.
  private func push(_ edits: [SharedEdit], base: UInt64) async throws -> UInt64? {
    let contents = try await contents(of: edits)
    let count = edits.count(where: \.isInsertion)
    let items = count > 0 ? try await local.reserve(count) : []
    let intent = Intent(edits: edits, items: items)
    var known = replica.items
    for (key, item) in intent.insertions { known[key] = item }
    var board = replica.shadow
    let parts = edits.compactMap { edit in
      defer { board.apply(edit) }
      return board.localEdit(of: edit, items: known)
    }
    try await record([.intent(intent)])
    return try await local.apply(parts, contents: contents, base: base)
  }

  private func contents(of edits: [SharedEdit]) async throws -> [ContentHash: ContentBytes] {
    var contents: [ContentHash: ContentBytes] = [:]
    for hash in edits.flatMap(\.storedContents) where contents[hash] == nil {
      if let content = arrived[hash] {
        contents[hash] = content
      } else if let content = try await spool.get(hash) {
        contents[hash] = content
      } else {
        throw ReplicatorError.missingContent(hash)
      }
    }
    return contents
  }

  /// Returns the first edits that fit into one edit of the daemon's board.
  private static func firstPart(
    of edits: ArraySlice<SharedEdit>, maxEdits: Int
  ) -> ArraySlice<SharedEdit> {
    var (contents, bytes, files) = (0, 0, 0)
    let end = edits.indices.first { index in
      let edit = edits[index]
      contents += edit.representations.count
      bytes += edit.byteCount
      files += edit.storedContents.count
      let isFull =
        index - edits.startIndex >= maxEdits || contents > maxContents || bytes > maxBytes
        || files > maxFiles
      return isFull && index > edits.startIndex
    }
    return edits[..<(end ?? edits.endIndex)]
  }
}
