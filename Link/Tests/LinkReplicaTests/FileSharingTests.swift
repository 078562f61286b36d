import DragboardClient
import Foundation
import Glibc
import LinkModel
import LinkReplica
import Testing

/// Rows with addresses of files, which are paths of one machine.
@Suite(.serialized)
struct FileSharingTests {
  private let server = MemoryServer()

  /// Starts two machines; on the first one, the user has allowed files.
  private func machines(allowing isAllowed: Bool = true) async throws -> [Machine] {
    let (anna, bert) = (try await Machine(server), try await Machine(server))
    try anna.startLink(files: FileSharing(machine: "laptop") { isAllowed })
    try bert.startLink(files: FileSharing(machine: "desktop") { true })
    return [anna, bert]
  }

  private func write(_ bytes: String, to path: String) throws {
    try Data(bytes.utf8).write(to: URL(filePath: path))
  }

  private func list(_ paths: String...) -> [UInt8] {
    Array(paths.map { "file://\($0)\r\n" }.joined().utf8)
  }

  /// Drops a list of addresses on the board as a file manager does.
  private func drop(
    _ list: [UInt8], on machine: Machine, from application: String = "org.dragboard.Shelf.Drop"
  ) async throws {
    let item = DragItem([
      .init(.uriList, .data(list)), .init("x-special/gnome-copied-files", .data(list)),
      .init(.plainText, .data(Array("/home/anna/report.pdf".utf8))),
    ])
    let session = try await machine.connection.beginDrag([item], as: Application(application))
      .session
    _ = try await machine.board.dropTarget.perform(session.id, inSection: 0, at: 0)
  }

  /// Returns the only row of a machine: its name, and the texts of its representations by type.
  private func row(
    on machine: Machine
  ) async throws -> (name: String, contents: [String: String]) {
    let row = try #require(try await machine.board.page(ofSection: 0, count: 10).rows.first)
    var contents: [String: String] = [:]
    for type in row.types {
      let bytes = try await machine.board.file(of: row.id, as: type).bytes()
      contents[type.rawValue] = String(decoding: bytes, as: UTF8.self)
    }
    return (row.suggestedName, contents)
  }

  private let reference = "application/vnd.dragboard.file-reference"

  @Test(
    "The bytes of a file cross that the user drops on a board with files",
    arguments: ["org.dragboard.Shelf.Drop", nil])
  func bytesCross(application: String?) async throws {
    let machines = try await machines()
    let path = "\(try machines[0].makeDirectory("files"))/r\u{e9}sum\u{e9} 1.pdf"
    try write("%PDF", to: path)
    let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    if let application {
      try await drop(list(escaped), on: machines[0], from: application)
    } else {
      try await machines[0].board.insert([(type: .uriList, content: .data(list(escaped)))])
    }
    try await untilQuiet(machines)
    let (name, contents) = try await row(on: machines[1])
    #expect(name == "r\u{e9}sum\u{e9} 1.pdf")
    #expect(contents["application/octet-stream"] == "%PDF")
    #expect(contents.keys.sorted() == ["application/octet-stream", reference])

    // The file is read only at the drop: later edits of the row do not change its bytes.
    try write("later", to: path)
    let item = try #require(try await machines[0].board.page(ofSection: 0, count: 1).rows.first).id
    try await machines[0].board.setPinned(true, of: item)
    try await untilQuiet(machines)
    #expect(try await row(on: machines[1]).contents == contents)
    #expect(try await machines[1].board.page(ofSection: 0, count: 1).rows[0].isPinned)
    // The row of the machine with the file still has its address.
    #expect(try await row(on: machines[0]).contents[ContentType.uriList.rawValue] != nil)
  }

  @Test("Without permission, the other machine gets the name of the file and of the machine")
  func notAllowed() async throws {
    let machines = try await machines(allowing: false)
    let path = "\(try machines[0].makeDirectory("files"))/report.pdf"
    try write("secret", to: path)
    try await drop(list(path, "/tmp/other"), on: machines[0])
    try await untilQuiet(machines)
    let (name, contents) = try await row(on: machines[1])
    #expect(name == "")
    #expect(contents["text/plain;charset=utf-8"] == "report.pdf on laptop\nother on laptop")
    #expect(contents.keys.sorted() == [reference, "text/plain;charset=utf-8"])
  }

  @Test(
    "The file of a row that a sandboxed program inserted, or that another program dragged, never crosses",
    arguments: ["org.evil.App", "org.dragboard.Shelf"])
  func sandbox(application: String) async throws {
    let machines = try await machines()
    let path = "\(try machines[0].makeDirectory(".ssh"))/id_rsa"
    try write("PRIVATE KEY", to: path)
    try await drop(list(path), on: machines[0], from: application)
    try await untilQuiet(machines)
    let contents = try await row(on: machines[1]).contents
    #expect(contents["text/plain;charset=utf-8"] == "id_rsa on laptop")
    #expect(!contents.values.contains { $0.contains("PRIVATE KEY") })
  }

  @Test(
    "Only regular files cross", arguments: ["link", "pipe", "directory", "large", "missing"])
  func irregular(kind: String) async throws {
    let machines = try await machines()
    let folder = try machines[0].makeDirectory("files")
    let path = "\(folder)/name"
    switch kind {
    case "link":
      // A program has replaced the file by a symbolic link.
      try write("PRIVATE KEY", to: "\(folder)/id_rsa")
      symlink("\(folder)/id_rsa", path)
    case "pipe": mkfifo(path, 0o600)
    case "directory": mkdir(path, 0o700)
    case "large":
      try write("", to: path)
      truncate(path, 64 << 20 + 1)
    default: break
    }
    try await drop(list(path), on: machines[0])
    try await untilQuiet(machines)
    #expect(
      try await row(on: machines[1]).contents["text/plain;charset=utf-8"] == "name on laptop")
  }

  @Test("A picture with the address of its file remains a picture, without the address")
  func picture() async throws {
    let machines = try await machines(allowing: false)
    try await machines[0].board.insert([
      (type: .uriList, content: .data(list("/home/anna/a.png"))),
      (type: "image/png", content: .data(Array("PNG".utf8))),
    ])
    try await untilQuiet(machines)
    #expect(
      try await row(on: machines[1]).contents.keys.sorted() == [reference, "image/png"])
  }

  @Test("The address of a web page crosses as before")
  func webPage() async throws {
    let machines = try await machines(allowing: false)
    let address = Array("https://example.org/\r\n".utf8)
    try await machines[0].board.insert([(type: .uriList, content: .data(address))])
    try await untilQuiet(machines)
    #expect(
      try await row(on: machines[1]).contents == ["text/uri-list": "https://example.org/\r\n"])
  }

  @Test("A forged edit with a path makes no machine open a file, or show a file of its own")
  func forged() async throws {
    let machines = try await machines()
    let path = "\(try machines[0].makeDirectory(".ssh"))/id_rsa"
    try write("PRIVATE KEY", to: path)
    try await untilQuiet(machines)
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let row = SharedRow(
      created: UInt64(time.tv_sec) * 1_000_000,
      representations: [.init(type: "text/uri-list", content: .inline(list(path)))])
    let batch = EditBatch(
      machine: MachineKey(7, 7), number: 1,
      edits: [.insert(RowKey(7, 7), row, at: .init(in: .first))])
    let log = server.log(nil)
    #expect(try await log.append(batch.bytes, after: log.lastNumber()) != nil)
    try await untilQuiet(machines)
    for machine in machines {
      #expect(
        try await self.row(on: machine).contents.keys.sorted()
          == ["application/vnd.dragboard.foreign-uri-list"])
    }
    // A local edit makes the link read the row again.
    let item = try #require(try await machines[0].board.page(ofSection: 0, count: 1).rows.first).id
    try await machines[0].board.setName(of: item, to: "new name")
    try await untilQuiet(machines)
    for entry in await server.entries {
      #expect(!String(decoding: entry.batch, as: UTF8.self).contains("PRIVATE KEY"))
    }
    #expect(
      try await self.row(on: machines[1]).contents.keys.sorted()
        == ["application/vnd.dragboard.foreign-uri-list"])
  }

  @Test("A lost replica does not double a row whose file has crossed")
  func lostReplica() async throws {
    let machines = try await machines()
    let path = "\(try machines[0].makeDirectory("files"))/report.pdf"
    try write("%PDF", to: path)
    try await drop(list(path), on: machines[0])
    try await untilQuiet(machines)
    await machines[0].stopLink()
    try FileManager.default.removeItem(atPath: machines[0].stateFolder)
    try machines[0].startLink(files: FileSharing(machine: "laptop") { false })
    try await untilQuiet(machines)
    for machine in machines {
      #expect(try await machine.board.page(ofSection: 0, count: 10).rows.count == 1)
    }
    #expect(try await row(on: machines[1]).contents["application/octet-stream"] == "%PDF")
  }
}
