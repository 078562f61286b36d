extension RowStorage {
  /// Inserts a section without rows.
  mutating func insertSection(named name: String, at index: Int) {
    lastSection += 1
    sections.insert(Section(id: SectionID(lastSection), name: name), at: index)
    hasUnsavedSections = true
  }

  mutating func renameSection(at index: Int, to name: String) {
    sections[index].name = name
    hasUnsavedSections = true
  }

  mutating func moveSection(from source: Int, to destination: Int) {
    sections.insert(sections.remove(at: source), at: destination)
    hasUnsavedSections = true
  }

  /// Removes a section and its rows; returns its name.
  mutating func removeSection(at index: Int) -> String {
    let section = sections.remove(at: index)
    for slot in section.blocks.slots {
      forget(blocks[Int(slot)].rows)
      blocks.remove(Int(slot))
    }
    rowCount -= section.rowCount
    hasUnsavedSections = true
    return section.name
  }
}
