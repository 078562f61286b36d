internal import BoardModel

/// Sections, blocks and rows of a board that may not fit together, put together as far as they do.
struct BoardRepair {
  /// A section, and its rows in order.
  struct Section {
    let section: StoredSection
    var rows: [RowEntry]
  }

  private(set) var sections: [Section] = []
  /// Whether blocks are missing, so that some rows may have lost their place.
  private(set) var isIncomplete = false
  /// How many rows had a place, and nothing else.
  private(set) var lost = 0
  /// How many rows were given a place because theirs is lost.
  private(set) var adopted = 0
  /// The rows that have a place.
  private(set) var rows: Set<RowID> = []

  /// Puts a board together of what has been read.
  ///
  /// - Parameters:
  ///   - sections: those that are known, in order.
  ///   - blocks: those that are known, in any order.
  ///   - hasContent: whether anything is known of what a row holds; a row of which nothing is gets no place.
  init(
    sections: [StoredSection], blocks: [StoredBlock], hasContent: (RowID) -> Bool
  ) {
    for section in sections { add(section) }
    for block in blocks.sorted(by: { $0.id < $1.id }) {
      guard !self.sections.contains(where: { $0.section.id == block.section }) else { continue }
      isIncomplete = true
      add(StoredSection(id: block.section, name: "recovered"))
    }
    if self.sections.isEmpty {
      isIncomplete = true
      add(StoredSection(id: SectionID(1), name: "main"))
    }
    for index in self.sections.indices { fill(index, blocks, hasContent) }
  }

  private mutating func add(_ section: StoredSection) {
    guard !sections.contains(where: { $0.section.id == section.id }) else { return }
    let known = (try? Name(section.name)) == nil ? "recovered" : section.name
    let name = Self.free(known, among: sections.map(\.section.name))
    sections.append(Section(section: StoredSection(id: section.id, name: name), rows: []))
  }

  /// The name, with a number behind it where it is taken.
  static func free(_ name: String, among taken: [String], separator: String = " ") -> String {
    guard taken.contains(name) else { return name }
    return (2...).lazy.map { "\(name)\(separator)\($0)" }.first { !taken.contains($0) } ?? name
  }

  private mutating func fill(
    _ index: Int, _ blocks: [StoredBlock], _ hasContent: (RowID) -> Bool
  ) {
    let section = sections[index].section.id
    for block in ordered(blocks.filter { $0.section == section }) {
      for entry in block.rows where rows.insert(entry.row).inserted {
        if hasContent(entry.row) {
          sections[index].rows.append(entry)
        } else {
          rows.remove(entry.row)
          lost += 1
        }
      }
    }
  }

  /// The blocks of a section in order: those that follow one another stay together, and the part that has the end comes last.
  private mutating func ordered(_ blocks: [StoredBlock]) -> [StoredBlock] {
    let known = Dictionary(blocks.map { ($0.id, $0) }) { first, _ in first }
    let followers = Set(blocks.compactMap(\.next))
    var left = Set(known.keys)
    var parts: [[StoredBlock]] = []
    // A part begins with a block that follows on none; where there is none, the blocks are in a loop.
    for first in known.keys.sorted().filter({ !followers.contains($0) }) + known.keys.sorted() {
      var part: [StoredBlock] = []
      var next: BlockID? = first
      while let id = next, let block = known[id], left.remove(id) != nil {
        part.append(block)
        next = block.next
      }
      if !part.isEmpty { parts.append(part) }
    }
    let hasEnd = parts.contains { $0.last?.next == nil }
    if parts.count > 1 || (!parts.isEmpty && !hasEnd) { isIncomplete = true }
    return (parts.filter { $0.last?.next != nil } + parts.filter { $0.last?.next == nil })
      .flatMap { $0 }
  }

  /// Adds rows whose place is lost, in a section of their own at the end; where no row has kept its place, in the first section.
  mutating func adopt(_ rows: [RowID]) {
    guard !rows.isEmpty else { return }
    defer {
      self.rows.formUnion(rows)
      adopted += rows.count
    }
    guard !self.rows.isEmpty else {
      sections[0].rows = rows.map { RowEntry($0) }
      return
    }
    let name = Self.free("recovered", among: sections.map(\.section.name))
    let section = StoredSection(id: SectionID(UInt32(sections.count + 1)), name: name)
    sections.append(Section(section: section, rows: rows.map { RowEntry($0) }))
  }

  /// The sections as they are stored anew, numbered from 1.
  var storedSections: [StoredSection] {
    sections.enumerated().map { index, section in
      StoredSection(id: SectionID(UInt32(index + 1)), name: section.section.name)
    }
  }

  /// The board as it is stored anew, in full blocks.
  var blocks: [StoredBlock] {
    var blocks: [StoredBlock] = []
    for (index, section) in sections.enumerated() {
      var rest = section.rows[...]
      while !rest.isEmpty {
        let rows = Array(rest.prefix(StoredBlock.maxRows / 2))
        rest = rest.dropFirst(rows.count)
        let id = UInt32(blocks.count + 1)
        blocks.append(
          StoredBlock(
            id: BlockID(id), section: SectionID(UInt32(index + 1)),
            next: rest.isEmpty ? nil : BlockID(id + 1), rows: rows))
      }
    }
    return blocks
  }
}
