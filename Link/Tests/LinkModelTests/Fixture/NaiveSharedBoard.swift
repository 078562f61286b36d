import LinkModel

/// A minimal implementation of a shared board's rules, which is the oracle of the random tests.
struct NaiveSharedBoard {
  struct Section: Equatable {
    var keys: [SectionKey]
    var name: String
    var rows: [RowKey] = []
  }

  var sections = [Section(keys: [.first], name: "main")]
  var rows: [RowKey: SharedRow] = [:]

  private func index(_ key: SectionKey) -> Int? { sections.firstIndex { $0.keys.contains(key) } }

  private func position(of key: RowKey) -> (Int, Int)? {
    for (index, section) in sections.enumerated() {
      if let row = section.rows.firstIndex(of: key) { return (index, row) }
    }
    return nil
  }

  private mutating func put(_ key: RowKey, at place: SharedEdit.Place) {
    let section = index(place.section)
    if let after = place.after {
      if let (found, row) = position(of: after), section == nil || section == found {
        return sections[found].rows.insert(key, at: row + 1)
      }
    } else if let section {
      return sections[section].rows.insert(key, at: 0)
    }
    if let before = place.before, let (found, row) = position(of: before),
      section == nil || section == found
    {
      return sections[found].rows.insert(key, at: row)
    }
    sections[section ?? 0].rows.append(key)
  }

  mutating func apply(_ edit: SharedEdit) {
    switch edit {
    case .insert(let key, let row, let place):
      guard rows[key] == nil else { return }
      rows[key] = row
      put(key, at: place)
    case .move(let key, let place):
      guard let (section, row) = position(of: key) else { return }
      // Links never move a row next to itself.
      sections[section].rows.remove(at: row)
      put(key, at: place)
    case .delete(let key):
      guard let (section, row) = position(of: key) else { return }
      sections[section].rows.remove(at: row)
      rows[key] = nil
    case .setFlags(let key, let flags, let changing):
      rows[key]?.flags.subtract(changing)
      rows[key]?.flags.formUnion(flags.intersection(changing))
    case .setName(let key, let name): rows[key]?.name = name
    case .setStack(let key, let stack): rows[key]?.stack = stack
    case .setContents(let key, let contents): rows[key]?.representations = contents
    case .insertSection(let key, let name, let after):
      guard index(key) == nil else { return }
      if let same = sections.firstIndex(where: { $0.name == name }) {
        sections[same].keys.append(key)
      } else {
        sections.insert(Section(keys: [key], name: name), at: behind(after))
      }
    case .renameSection(let key, let name):
      guard let index = index(key), !sections.contains(where: { $0.name == name }) else { return }
      sections[index].name = name
    case .moveSection(let key, let after):
      guard let index = index(key) else { return }
      if let after, sections[index].keys.contains(after) { return }
      let section = sections.remove(at: index)
      sections.insert(section, at: behind(after))
    case .deleteSection(let key):
      guard let index = index(key), sections.count > 1, sections[index].rows.isEmpty else { return }
      sections.remove(at: index)
    }
  }

  private func behind(_ section: SectionKey?) -> Int {
    guard let section else { return 0 }
    return index(section).map { $0 + 1 } ?? sections.count
  }
}
