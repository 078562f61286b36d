internal import BoardModel

extension BoardStore {
  /// The most bytes of a representation that rest in the database; those of a larger one rest in a file.
  public static let inlineLimit = 64 << 10

  /// The item with every content where it is going to rest: large ones in files, small ones in memory.
  ///
  /// Where it fails nothing has changed, and the transaction is none the worse.
  func settle(_ item: StoredItem) throws(StoreError) -> StoredItem {
    guard item.representations.contains(where: { !$0.content.isInline }) else { return item }
    var item = item
    for place in item.representations.indices {
      let content = item.representations[place].content
      if !content.isInline { item.representations[place].content = try settle(content) }
    }
    return item
  }

  private func settle(_ content: StoredContent) throws(StoreError) -> StoredContent {
    guard case .file(let file) = content else { return .file(try publish(try write(content))) }
    if file.byteCount <= Self.inlineLimit { return .bytes(try file.readAll()) }
    guard file.contents === contents else {
      throw .badItem("a file of another store is among its contents; right is one of this store")
    }
    return .file(try publish(file))
  }

  private func write(_ content: StoredContent) throws(StoreError) -> StoredFile {
    let writer = try contents.makeWriter()
    try content.withBytes { bytes throws(StoreError) in try writer.append(bytes) }
    return try writer.finish()
  }

  private func publish(_ file: StoredFile) throws(StoreError) -> StoredFile {
    ledger.noteInsertion(of: file.id)
    if try file.publish() { ledger.areNamesDurable = false }
    return file
  }

  /// Makes durable where the contents are that the open transaction's rows have come to hold.
  func syncContents() throws(StoreError) {
    guard !ledger.inserted.isEmpty, !ledger.areNamesDurable else { return }
    do throws(FileError) { try contents.syncNames() } catch { throw .file(error) }
    ledger.areNamesDurable = true
  }
}

extension StoredContent {
  /// Whether it rests in the database, and is in memory.
  fileprivate var isInline: Bool {
    switch self {
    case .text(let text): text.utf8.count <= BoardStore.inlineLimit
    case .bytes(let bytes): bytes.count <= BoardStore.inlineLimit
    case .file: false
    }
  }
}

// MARK: Clean-up

/// How much a step of cleaning up may still do.
struct PurgeBudget {
  /// Rows and files.
  var entries: Int
  var bytes: Int

  var isLeft: Bool { entries > 0 && bytes > 0 }

  mutating func spend(bytes count: Int) {
    entries -= 1
    bytes -= count
  }
}

extension BoardStore {
  /// Whether there may be files in the folder of contents that nobody needs, for `purgeDiscarded` to remove.
  public var hasGarbage: Bool {
    !ledger.suspects.isEmpty || contents.hasReleased || !sweep.isOver
  }

  /// Removes files that nobody needs.
  ///
  /// - Returns: whether there is more to do.
  func removeContents(_ budget: inout PurgeBudget) throws(StoreError) -> Bool {
    ledger.suspect(contents.takeReleased())
    sweep.begin(contents.path)
    while budget.isLeft {
      guard let suspect = ledger.suspects.last else {
        guard suspectLeftover(&budget) else { return false }
        continue
      }
      let isUnneeded = try isUnneeded(suspect)
      if isUnneeded, indexCheck.state == .unchecked {
        guard try checkIndex() else { return true }
        continue
      }
      let isRemovable = isUnneeded && indexCheck.state == .agrees
      budget.spend(bytes: isRemovable ? contents.remove(suspect) : 0)
      ledger.didLookIntoLast()
    }
    return !ledger.suspects.isEmpty || !sweep.isOver
  }

  /// Suspects the next file that an earlier process left in the directory.
  ///
  /// - Returns: whether there are more.
  private func suspectLeftover(_ budget: inout PurgeBudget) -> Bool {
    guard let name = sweep.next() else { return false }
    if let id = ContentID(hex: name) {
      DataDirectory.narrow(contents.path(of: id), report)
      ledger.suspect([id])
    } else {
      budget.spend(bytes: 0)
    }
    return true
  }

  /// Whether no row holds a content, or held it before the open transaction, and there is no
  /// handle.
  private func isUnneeded(_ id: ContentID) throws(StoreError) -> Bool {
    guard !ledger.deleted.contains(id), !contents.isHeld(id) else { return false }
    return try read { () throws(SQLiteError) in
      try statements.holder.first(id) { _ in false } ?? true
    }
  }
}

/// One look through the folder of contents, a few names at a time.
struct ContentSweep: ~Copyable {
  private var listing: FolderListing?
  private var hasBegun = false

  /// Whether there is nothing left to look at.
  var isOver: Bool { hasBegun && listing == nil }

  /// Opens the folder, the first time.
  mutating func begin(_ path: String) {
    guard !hasBegun else { return }
    hasBegun = true
    listing = try? FolderListing(path)
  }

  /// The next name; nil at the end, and where no more can be read.
  mutating func next() -> String? {
    let name = try? listing?.next()
    if name == nil { listing = nil }
    return name
  }
}
