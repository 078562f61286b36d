import Files
import TestSupport
import Testing

@Suite("The specification's table of data files")
struct DataFilesTableTests {
  @Test("The table has the files of the data directory")
  func names() throws {
    let specification = try Checkout.text(
      of: "Sources/DragboardInterface/Interfaces/specification.md")
    let table = try #require(specification.firstMatch(of: /\| name \| content \|\n(\|.*\n)+/)).0
    let names = table.split(separator: "\n").dropFirst(2).flatMap { row in
      row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    #expect(
      names == [DataFiles.database]
        + DataFiles.databaseSuffixes.map { DataFiles.database + $0 }
        + [
          DataFiles.contents, DataFiles.lock, DataFiles.damageNote,
          DataFiles.damagedPrefix + "DATE", DataFiles.lostContents,
        ])
  }
}
