import BoardModel
import LinkModel
import TestSupport

/// A minimal board of a daemon in memory, and users who edit it.
actor MemoryBoard: LocalBoard {
  struct Section: Sendable {
    var name: String
    var items: [ItemKey]
  }

  /// The edits that users have made.
  struct Deeds: Sendable {
    var inserted: Set<String> = []
    var deleted: Set<String> = []
    /// The latest text that a user of this machine has set, for each row.
    var texts: [String: String] = [:]
  }

  private(set) var sections = [Section(name: "main", items: [])]
  private(set) var rows: [ItemKey: SharedRow] = [:]
  private(set) var deeds = Deeds()
  private var revision: UInt64 = 1
  private var log: [(revision: UInt64, changes: [LocalChange])] = []
  private var generator: SplitMix64
  private var lastItem: UInt64 = 0
  /// The number of insertions, which no restoration of a backup reduces.
  private var lastMoment: UInt64 = 0
  private var lastText = 0
  private var large: [ContentHash: [UInt8]] = [:]
  private let machine: Int
  private let chance: Chance
  /// The number of revisions whose changes are available.
  private let kept: Int
  /// The processes of the daemon, each with the first revision that it has made.
  private var processes: [(first: UInt64, name: String)] = []
  /// The number of starts of the daemon, which no restoration reduces.
  private var starts = 0
  var hasShortLog: Bool { kept < 100 }

  init(machine: Int, seed: UInt64, kept: Int? = nil, _ chance: Chance) {
    self.machine = machine
    self.chance = chance
    generator = SplitMix64(seed: seed &* 31 &+ UInt64(machine))
    let isForgetful = generator.happens(20)
    self.kept = kept ?? (isForgetful ? 3 : 100_000)
  }

  private func path(of item: ItemKey) -> IndexPath? {
    for (index, section) in sections.enumerated() {
      if let row = section.items.firstIndex(of: item) { return IndexPath(section: index, row: row) }
    }
    return nil
  }

  // MARK: Edits

  private func perform(_ edits: [LocalEdit]) {
    let changes = edits.flatMap(perform)
    guard !changes.isEmpty else { return }
    revision += 1
    let process = "\(machine).\(starts)"
    if processes.last?.name != process { processes.append((revision, process)) }
    log.append((revision, changes))
    if log.count > kept { log.removeFirst() }
  }

  /// The edits that the board has refused.
  private(set) var refusals: [LocalEdit] = []

  private func isValid(_ edit: LocalEdit) -> Bool {
    switch edit {
    case .insert(let item, _, let path):
      rows[item] == nil && sections.indices ~= path.section
        && 0...sections[path.section].items.count ~= path.row
    case .delete(let item), .setFlags(let item, _, _), .setName(let item, _),
      .setStack(let item, _), .setContents(let item, _):
      rows[item] != nil
    case .move(let item, let to):
      rows[item] != nil && sections.indices ~= to.section
        && 0...sections[to.section].items.count ~= to.row
    case .insertSection(let name, let index):
      0...sections.count ~= index && !sections.contains { $0.name == name }
    case .deleteSection(let index):
      sections.indices ~= index && sections[index].items.isEmpty && sections.count > 1
    case .moveSection(let from, let to):
      sections.indices ~= from && sections.indices ~= to
    case .renameSection(let name, let index):
      sections.indices ~= index && !sections.contains { $0.name == name }
    }
  }

  private func perform(_ edit: LocalEdit) -> [LocalChange] {
    guard isValid(edit) else {
      refusals.append(edit)
      return []
    }
    func reload(_ item: ItemKey, _ change: (inout SharedRow) -> Void) -> [LocalChange] {
      guard let path = path(of: item), var row = rows[item] else { return [] }
      change(&row)
      rows[item] = row
      return [.reload(item, at: path)]
    }
    switch edit {
    case .insert(let item, let row, let path):
      sections[path.section].items.insert(item, at: path.row)
      rows[item] = row
      return [.insert(item, at: path)]
    case .delete(let item):
      guard let path = path(of: item) else { return [] }
      sections[path.section].items.remove(at: path.row)
      rows[item] = nil
      return [.delete(item, at: path)]
    case .move(let item, let to):
      guard let path = path(of: item) else { return [] }
      if path == to { return [] }
      sections[path.section].items.remove(at: path.row)
      sections[to.section].items.insert(item, at: to.row)
      return [.move(item, from: path, to: to)]
    case .setFlags(let item, let flags, let changing):
      return reload(item) {
        $0.flags = $0.flags.subtracting(changing).union(flags.intersection(changing))
      }
    case .setName(let item, let name): return reload(item) { $0.name = name }
    case .setStack(let item, let stack): return reload(item) { $0.stack = stack }
    case .setContents(let item, let contents):
      return reload(item) { $0.representations = contents }
    case .insertSection(let name, let index):
      sections.insert(Section(name: name, items: []), at: index)
      return [.insertSection(name, at: index)]
    case .deleteSection(let index):
      sections.remove(at: index)
      return [.deleteSection(at: index)]
    case .moveSection(let from, let to):
      if from == to { return [] }
      sections.insert(sections.remove(at: from), at: to)
      return [.moveSection(from: from, to: to)]
    case .renameSection(let name, let index):
      sections[index].name = name
      return [.renameSection(to: name, at: index)]
    }
  }

  // MARK: Backups

  /// The data of a daemon, without the edits that users have made.
  struct Backup: Sendable {
    let sections: [Section]
    let rows: [ItemKey: SharedRow]
    let revision: UInt64
    let log: [(revision: UInt64, changes: [LocalChange])]
    let lastItem: UInt64
    let large: [ContentHash: [UInt8]]
    let processes: [(first: UInt64, name: String)]
  }

  func backup() -> Backup {
    Backup(
      sections: sections, rows: rows, revision: revision, log: log, lastItem: lastItem,
      large: large, processes: processes)
  }

  func restore(_ backup: Backup) {
    (sections, rows, revision) = (backup.sections, backup.rows, backup.revision)
    (log, lastItem, processes) = (backup.log, backup.lastItem, backup.processes)
    starts += 1
    large.merge(backup.large) { $1 }
  }

  /// Starts the daemon again with the same data.
  func restart() { starts += 1 }

  /// The text of the row that a client inserts directly after the next edit of the link.
  private var nextText: String?

  /// Lets a client insert a row directly after the next edit of the link.
  func addAfterLink(_ text: String) { nextText = text }

  // MARK: Users

  /// Inserts rows of text at the end of a section.
  func add(_ texts: String..., created: UInt64 = 0, inSection section: Int = 0) {
    for text in texts {
      lastItem += 1
      let content = SharedRow.Representation(
        type: "text/plain;charset=utf-8", content: .inline(Array(text.utf8)))
      let row = SharedRow(application: text, created: created, representations: [content])
      let path = IndexPath(section: section, row: sections[section].items.count)
      perform([.insert(ItemKey(UInt64(machine), lastItem), row, at: path)])
    }
  }

  /// Inserts a row with a text that is too large for the log at the beginning.
  func addLarge(_ text: String) {
    lastItem += 1
    let content = SharedContent(Array(text.utf8))
    large[ContentHash(of: Array(text.utf8))] = Array(text.utf8)
    let row = SharedRow(
      application: String(text.prefix(20)),
      representations: [.init(type: "text/plain;charset=utf-8", content: content)]
    )
    perform([
      .insert(ItemKey(UInt64(machine), lastItem), row, at: IndexPath(section: 0, row: 0))
    ])
  }

  /// Makes one edit.
  func make(_ edits: LocalEdit...) { perform(edits) }

  /// Returns the texts of a section.
  func texts(inSection section: Int = 0) -> [String] {
    sections[section].items.map { Self.text(of: rows[$0]) }
  }

  // MARK: Random edits

  private func text() -> [SharedRow.Representation] {
    lastText += 1
    var text = "\(machine).\(lastText)"
    if generator.happens(5) { text += String(repeating: " large", count: 300) }
    let content = SharedContent(Array(text.utf8))
    if case .stored(let hash, _) = content { large[hash] = Array(text.utf8) }
    return [.init(type: "text/plain;charset=utf-8", content: content)]
  }

  static func text(of row: SharedRow?) -> String {
    switch row?.representations.first?.content {
    case .inline(let bytes): String(decoding: bytes, as: UTF8.self)
    case .stored(let hash, _): "\(hash.bytes)"
    case nil: ""
    }
  }

  private func place() -> IndexPath {
    let section = Int.random(in: 0..<sections.count, using: &generator)
    return IndexPath(
      section: section, row: Int.random(in: 0...sections[section].items.count, using: &generator))
  }

  /// Makes one random edit.
  func edit() {
    let all = sections.flatMap(\.items)
    let item = all.randomElement(using: &generator)
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<7: insert(Int.random(in: 1...3, using: &generator))
    case 7..<10:
      guard let item, let path = path(of: item) else { return insert(1) }
      var to = place()
      if to.section == path.section, to.row == sections[to.section].items.count { to.row -= 1 }
      perform([.move(item, to: to)])
    case 10..<12:
      guard let item, let row = rows[item] else { return }
      deeds.deleted.insert(row.application)
      perform([.delete(item)])
    case 12..<15:
      guard let item, let row = rows[item] else { return }
      let contents = text()
      perform([.setContents(item, contents)])
      deeds.texts[row.application] = Self.text(of: rows[item])
    case 15:
      guard let item else { return }
      let flag = [RowFlags.isMovable, .isEditable, .isPinned].randomElement(using: &generator)
      guard let flag else { return }
      perform([
        .setFlags(item, rows[item]?.flags.symmetricDifference(flag) ?? flag, changing: flag)
      ])
    case 16:
      guard let item else { return }
      perform([
        generator.happens(50)
          ? .setName(item, "name \(revision)") : .setStack(item, "stack \(revision)")
      ])
    default: editSections()
    }
  }

  private func insert(_ count: Int) {
    let path = place()
    perform(
      (0..<count).map { offset in
        lastItem += 1
        lastMoment += 1
        let id = "\(machine)-\(lastMoment)"
        deeds.inserted.insert(id)
        let row = SharedRow(
          application: id, created: UInt64(machine) << 32 + lastMoment, representations: text())
        return .insert(
          ItemKey(UInt64(machine), lastItem), row,
          at: IndexPath(section: path.section, row: path.row + offset))
      })
  }

  private func editSections() {
    let name = "section \(Int.random(in: 0..<4, using: &generator))"
    let isTaken = sections.contains { $0.name == name }
    let index = Int.random(in: 0..<sections.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: if !isTaken { perform([.insertSection(name, at: index)]) }
    case 1: if !isTaken { perform([.renameSection(to: name, at: index)]) }
    case 2:
      perform([.moveSection(from: index, to: Int.random(in: 0..<sections.count, using: &generator))]
      )
    default:
      guard sections.count > 1 else { return }
      let items = sections[index].items
      for item in items { deeds.deleted.insert(rows[item]?.application ?? "") }
      perform(items.reversed().map { .delete($0) } + [.deleteSection(at: index)])
    }
  }

  // MARK: LocalBoard

  /// Lets a user edit the board before the call, or fails the call, at random.
  private func begin() async throws {
    if await chance.happens(10) { edit() }
    try await chance.fail(3)
  }

  private func history(of revision: UInt64) -> String {
    processes.last { $0.first <= revision }?.name ?? "\(machine)"
  }

  func changes(since revision: UInt64, of history: String) async throws -> LocalHistory {
    try await begin()
    guard revision <= self.revision, history.isEmpty || history == self.history(of: revision)
    else { return .other }
    let first = log.first.map { $0.revision - 1 } ?? self.revision
    guard revision >= first else { return .tooLong }
    return .changes(
      LocalChanges(
        revision: self.revision, changes: log.filter { $0.revision > revision }.flatMap(\.changes),
        history: self.history(of: self.revision)))
  }

  func snapshot() async throws -> LocalSnapshot {
    try await begin()
    return LocalSnapshot(
      revision: revision, sections: sections.map { (name: $0.name, items: $0.items) })
  }

  func rows(
    at paths: [IndexPath: ItemKey], spool: any ContentSpool
  ) async throws -> [ItemKey: SharedRow] {
    try await begin()
    var found: [ItemKey: SharedRow] = [:]
    for (path, item) in paths where self.path(of: item) == path { found[item] = rows[item] }
    for row in found.values {
      for case .stored(let hash, _) in row.representations.map(\.content) {
        try await spool.put(hash, .inMemory(large[hash] ?? []))
      }
    }
    return found
  }

  func reserve(_ count: Int) async throws -> [ItemKey] {
    try await begin()
    return (0..<count).map { _ in
      lastItem += 1
      return ItemKey(UInt64(machine) + 100, lastItem)
    }
  }

  func apply(
    _ edits: [LocalEdit], contents: [ContentHash: ContentBytes], base: UInt64
  ) async throws -> UInt64? {
    try await begin()
    guard base == revision else { return nil }
    for (hash, content) in contents {
      large[hash] = try content.read(0..<(try content.byteCount))
    }
    perform(edits)
    let made = revision
    if let text = nextText {
      nextText = nil
      add(text, created: 1_000)
    }
    if await chance.happens(10) { edit() }
    try await chance.fail(5)
    return made
  }
}
