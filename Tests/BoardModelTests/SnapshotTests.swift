import BoardModel
import FuzzTargets
import Testing

@Suite("A snapshot kept by revisions")
struct SnapshotTests {
  private let snapshot = Snapshot(
    revision: 5,
    sections: [
      SnapshotSection(name: "a", rows: rows(1, 2)), SnapshotSection(name: "b"),
    ])

  @Test("Changes are applied one after the other")
  func apply() throws {
    var changed = snapshot
    try changed.apply(
      Revision(
        from: 5,
        changes: [
          .move(RowID(1), from: at(0, 0), to: at(1, 0)), .moveSection("a", from: 0, to: 1),
          .insert(RowID(3), at: at(0, 1)), .delete(RowID(2), at: at(1, 0)),
          .deleteSection("a", at: 1), .renameSection(to: "c", at: 0), .insertSection("d", at: 0),
          .reload(RowID(3), at: at(1, 1)),
        ]))
    #expect(
      changed
        == Snapshot(
          revision: 6,
          sections: [
            SnapshotSection(name: "d"), SnapshotSection(name: "c", rows: rows(1, 3)),
          ]))
  }

  @Test("A revision that does not follow, or has no changes, does not change the snapshot")
  func refused() {
    var changed = snapshot
    #expect(throws: SnapshotError.doesNotFollow(from: 6, have: 5)) {
      try changed.apply(Revision(from: 6, changes: []))
    }
    #expect(throws: SnapshotError.reset) {
      try changed.apply(Revision(from: 5, changes: [.reset]))
    }
    #expect(changed == snapshot)
  }

  @Test(
    "A change that does not fit the snapshot is refused",
    arguments: [
      Change.insert(RowID(9), at: at(0, 3)), .insert(RowID(9), at: at(2, 0)),
      .delete(RowID(9), at: at(0, 0)), .delete(RowID(1), at: at(1, 0)),
      .move(RowID(2), from: at(0, 0), to: at(0, 1)),
      .move(RowID(1), from: at(0, 0), to: at(0, 2)), .reload(RowID(1), at: at(0, 1)),
      .insertSection("c", at: 3), .deleteSection("a", at: 0), .deleteSection("b", at: 2),
      .moveSection("b", from: 0, to: 1), .moveSection("a", from: 0, to: 2),
      .renameSection(to: "c", at: -1),
    ])
  func unfit(change: Change) {
    var changed = snapshot
    #expect(throws: SnapshotError.doesNotFit(change)) {
      try changed.apply(Revision(from: 5, changes: [change]))
    }
    #expect(changed.revision == 5)
  }
}
