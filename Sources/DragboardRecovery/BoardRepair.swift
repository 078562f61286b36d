internal import BoardModel

/// A board that is rebuilt from sections, blocks and rows that may not fit together.
struct BoardRepair {
  /// A section and its rows, in order.
  struct Section {
    let section: StoredSection
    var rows: [RowEntry]
  }

  private(set) var sections: [Section] = []
  /// Whether blocks are missing.
  ///
  /// If so, some rows may have lost their position.
  private(set) var isIncomplete = false
  /// The number of rows that have a known position but no known content.
  private(set) var lost = 0
  /// The number of rows that received a new position, because their position is lost.
  private(set) var adopted = 0
  /// The rows that have a position.
  private(set) var rows: Set<RowID> = []

  /// Rebuilds a board from the data that could be read.
  ///
  /// - Parameters:
  ///   - sections: the known sections, in order.
  ///   - blocks: the known blocks, in any order.
  ///   - hasContent: returns whether the content of a row is known. Rows without known content are
  ///     omitted.
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

  /// Returns the name, with a number appended if the name is taken.
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

  /// Orders the blocks of a section.
  ///
  /// Each block names its next block, so known blocks form chains. A chain stays together. The
  /// chain with the last block of the section comes last.
  private mutating func ordered(_ blocks: [StoredBlock]) -> [StoredBlock] {
    let known = Dictionary(blocks.map { ($0.id, $0) }) { first, _ in first }
    let followers = Set(blocks.compactMap(\.next))
    var left = Set(known.keys)
    var parts: [[StoredBlock]] = []
    // A chain starts with a block that has no predecessor. If no such block is left, the remaining
    // blocks form a loop.
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

  /// Adds rows whose positions are lost.
  ///
  /// The rows are in a new section at the end. If no other row has a position, they are in the
  /// first section.
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

  /// The rebuilt sections, numbered from 1.
  var storedSections: [StoredSection] {
    sections.enumerated().map { index, section in
      StoredSection(id: SectionID(UInt32(index + 1)), name: section.section.name)
    }
  }

  /// The rebuilt board, in full blocks.
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
