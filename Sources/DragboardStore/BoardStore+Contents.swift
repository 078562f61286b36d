internal import BoardModel
internal import Files

extension BoardStore {
  /// The content with all bytes where they are going to be: large ones in files, small ones in memory.
  ///
  /// If it fails, nothing has changed, and the transaction can go on.
  func settle(_ content: RowContent) throws(StoreError) -> RowContent {
    guard content.representations.contains(where: { !$0.bytes.isInline }) else { return content }
    var content = content
    for place in content.representations.indices {
      let bytes = content.representations[place].bytes
      if !bytes.isInline { content.representations[place].bytes = try settle(bytes) }
    }
    return content
  }

  private func settle(_ bytes: Payload) throws(StoreError) -> Payload {
    guard case .file(let file) = bytes else {
      let moved = try bytes.moved(in: contents)
      guard case .file(let file) = moved else { return moved }
      return .file(try publish(file))
    }
    if file.byteCount <= Payload.inlineLimit { return .memory(try file.readAll()) }
    guard file.contents === contents else {
      throw .badItem("a file of another store is among its contents; right is one of this store")
    }
    return .file(try publish(file))
  }

  private func publish(_ file: ContentFile) throws(StoreError) -> ContentFile {
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
