import BoardModel

extension SharedEdit {
  /// Whether the edit inserts a row.
  var isInsertion: Bool {
    if case .insert = self { true } else { false }
  }

  var representations: [SharedRow.Representation] {
    switch self {
    case .insert(_, let row, _): row.representations
    case .setContents(_, let contents): contents
    default: []
    }
  }

  /// The hashes of the contents in the content store that the edit uses.
  var storedContents: [ContentHash] {
    representations.storedContents
  }

  /// The approximate number of bytes of the encoded edit.
  var byteCount: Int {
    representations.reduce(100) { total, representation in
      if case .inline(let bytes) = representation.content { return total + bytes.count + 60 }
      return total + 100
    }
  }
}

extension [SharedRow.Representation] {
  /// The hashes of the contents in the content store.
  var storedContents: [ContentHash] {
    compactMap { representation in
      if case .stored(let hash, _) = representation.content { hash } else { nil }
    }
  }
}

extension SharedBoard {
  /// Returns the edit of a daemon's board that has the same effect as an edit of this board; nil if
  /// the edit has no effect.
  func localEdit(of edit: SharedEdit, items: KeyTable<SharedRow, ItemKey>) -> LocalEdit? {
    switch edit {
    case .insert(let key, let row, let place):
      items[key].map { .insert($0, row, at: path(of: place)) }
    case .move(let key, let place):
      items[key].map { .move($0, to: path(of: place, without: path(of: key), key)) }
    case .delete(let key): items[key].map { .delete($0) }
    case .setFlags(let key, let flags, let changing):
      items[key].map { .setFlags($0, flags, changing: changing) }
    case .setName(let key, let name): items[key].map { .setName($0, name) }
    case .setStack(let key, let stack): items[key].map { .setStack($0, stack) }
    case .setContents(let key, let contents): items[key].map { .setContents($0, contents) }
    case .insertSection(_, let name, let after): .insertSection(name, at: index(behind: after))
    case .renameSection(let key, let name): index(of: key).map { .renameSection(to: name, at: $0) }
    case .moveSection(let key, let after):
      index(of: key).map { source in
        let destination = index(behind: after)
        return .moveSection(from: source, to: destination - (destination > source ? 1 : 0))
      }
    case .deleteSection(let key): index(of: key).map { .deleteSection(at: $0) }
    }
  }

  /// Returns the changes that a daemon reports after an edit.
  func localChanges(of edit: SharedEdit, items: KeyTable<SharedRow, ItemKey>) -> [LocalChange] {
    guard let local = localEdit(of: edit, items: items) else { return [] }
    func path(_ item: ItemKey, _ make: (IndexPath) -> LocalChange) -> [LocalChange] {
      switch edit {
      case .move(let key, _), .delete(let key), .setFlags(let key, _, _), .setName(let key, _),
        .setStack(let key, _), .setContents(let key, _):
        self.path(of: key).map { [make($0)] } ?? []
      default: []
      }
    }
    return switch local {
    case .insert(let item, _, let path): [.insert(item, at: path)]
    case .delete(let item): path(item) { .delete(item, at: $0) }
    case .move(let item, let to): path(item) { .move(item, from: $0, to: to) }
    case .setFlags(let item, _, _), .setName(let item, _), .setStack(let item, _),
      .setContents(let item, _):
      path(item) { .reload(item, at: $0) }
    case .insertSection(let name, let index): [.insertSection(name, at: index)]
    case .deleteSection(let index): [.deleteSection(at: index)]
    case .moveSection(let from, let to): [.moveSection(from: from, to: to)]
    case .renameSection(let name, let index): [.renameSection(to: name, at: index)]
    }
  }
}
