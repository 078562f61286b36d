import ShelfModel
import Testing

@Suite("The limits of a board") struct RetentionTests {
  @Test(
    "The limits count old and surplus rows, but neither pinned nor locked rows",
    arguments: [
      (0, 0, 0), (5, 0, 0), (4, 0, 1), (1, 0, 3), (0, 300, 2), (0, 1000, 0), (4, 300, 2),
      (2, 300, 3), (9, 300, 2),
    ])
  func count(rows: Int, seconds: Int, deleted: Int) {
    let limits = RetentionSettings(rows: rows, time: .seconds(seconds))
    let created = [100, 400, 800].map { Duration.seconds($0) }
    #expect(limits.deletedCount(of: 5, created: created, at: .seconds(900)) == deleted)
  }
}
