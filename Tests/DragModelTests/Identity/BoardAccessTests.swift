import DragModel
import Testing

@Suite("The rights of a connection to boards")
struct BoardAccessTests {
  /// The rights that a caller has on a row which `source` inserted.
  struct Row: Sendable {
    let source: String
    let reads, opened, changes: Bool
  }

  private static func caller(_ confinement: Confinement) -> Caller {
    Caller(uniqueName: ":1.5", confinement: confinement)
  }

  private func check(_ confinement: Confinement, _ rows: [Row]) {
    let caller = Self.caller(confinement)
    let access = BoardAccess(of: caller, opensContents: false)
    let opened = BoardAccess(of: caller, opensContents: true)
    for row in rows {
      #expect(access.reads(rowOf: row.source) == row.reads, "\(row)")
      #expect(opened.reads(rowOf: row.source) == row.opened, "\(row)")
      #expect(access.changes(rowOf: row.source) == row.changes, "\(row)")
      #expect(opened.changes(rowOf: row.source) == row.changes, "\(row)")
    }
  }

  @Test("A connection outside of a sandbox has all rights")
  func unsandboxed() {
    let access = BoardAccess(of: Self.caller(.unsandboxed), opensContents: false)
    #expect(access.governs && access.readsEverything)
    #expect(access.source == "")
    #expect(access.source(ofDragBy: .uniqueName(":1.5")) == ":1.5")
    check(
      .unsandboxed,
      ["", ":1.5", ":1.6", "org.x"].map {
        Row(source: $0, reads: true, opened: true, changes: true)
      })
  }

  @Test("A sandboxed client owns the rows of its id, and reads other rows if a setting allows it")
  func sandboxed() throws {
    let confinement = Confinement.sandboxed(try ApplicationID("org.x.App"))
    let access = BoardAccess(of: Self.caller(confinement), opensContents: false)
    let opened = BoardAccess(of: Self.caller(confinement), opensContents: true)
    #expect(!access.governs && !opened.governs)
    #expect(!access.readsEverything && opened.readsEverything)
    #expect(access.source == "org.x.App")
    for source in [Application.uniqueName(":1.5"), .id(try ApplicationID("org.x.App"))] {
      #expect(access.source(ofDragBy: source) == "org.x.App")
    }
    check(
      confinement,
      [Row(source: "org.x.App", reads: true, opened: true, changes: true)]
        + ["", ":1.5", ":1.6", "org.x", "org.x.App2", "org.x.app"].map {
          Row(source: $0, reads: false, opened: true, changes: false)
        })
  }

  @Test("An unidentified client owns no rows, because its unique name will be reused")
  func unverified() {
    let access = BoardAccess(of: Self.caller(.unverified), opensContents: false)
    #expect(!access.governs && !access.readsEverything)
    #expect(access.source == ":1.5")
    #expect(access.source(ofDragBy: .uniqueName(":1.5")) == ":1.5")
    check(
      .unverified,
      ["", ":1.5", ":1.6", "org.x"].map {
        Row(source: $0, reads: false, opened: true, changes: false)
      })
  }
}
