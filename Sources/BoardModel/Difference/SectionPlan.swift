/// The changes of sections from the present names to the wanted names.
///
/// Before rows are moved, sections are inserted, and as few as possible are moved. Sections are
/// deleted after rows have been moved, when they are empty.
struct SectionPlan {
  /// A section while rows are moved.
  struct Place {
    /// The index of the section before the edit; nil if it is new.
    let old: Int?

    /// The index of the section after the edit; nil if it is deleted.
    let wanted: Int?
  }

  /// The sections while rows are moved.
  private(set) var places: [Place]

  /// The changes before rows are moved.
  private(set) var arranging: [Change] = []

  /// The changes after rows have been moved.
  private(set) var deleting: [Change] = []

  /// Plans the changes; each list contains a name at most once.
  ///
  /// O(sections²).
  init(from old: [String], to wanted: [String]) {
    let oldIndexes = Dictionary(uniqueKeysWithValues: zip(old, old.indices))
    let wantedIndexes = Dictionary(uniqueKeysWithValues: zip(wanted, wanted.indices))
    places = old.indices.map { Place(old: $0, wanted: wantedIndexes[old[$0]]) }
    let kept = wanted.compactMap { oldIndexes[$0] }
    let staying = Set(longestIncreasingSubsequence(of: kept).map { kept[$0] })
    var next = 0
    for (index, name) in wanted.enumerated() {
      let source = oldIndexes[name]
      let isMoved = source.map { !staying.contains($0) } ?? true
      if isMoved { put(Place(old: source, wanted: index), named: name, at: &next) }
      next = (places.firstIndex { $0.wanted == index } ?? next) + 1
    }
    for (index, place) in places.enumerated().reversed() where place.wanted == nil {
      deleting.append(.deleteSection(old[place.old ?? 0], at: index))
    }
  }

  /// Inserts or moves a section behind its predecessor in the wanted order.
  private mutating func put(_ place: Place, named name: String, at index: inout Int) {
    if let source = places.firstIndex(where: { $0.wanted == place.wanted }) {
      places.remove(at: source)
      if source < index { index -= 1 }
      arranging.append(.moveSection(name, from: source, to: index))
    } else {
      arranging.append(.insertSection(name, at: index))
    }
    places.insert(place, at: index)
  }
}
