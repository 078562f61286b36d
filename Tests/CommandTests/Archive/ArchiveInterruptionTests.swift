import DragboardClient
import Foundation
import TestSupport
import Testing

@Suite("Interrupted exports and imports")
struct ArchiveInterruptionTests {
  /// The time for each step on a busy machine.
  private static let limit = Duration.seconds(300)

  /// Starts the import of an archive as the board "copy"; the board exists, and the import waits for the
  /// rest of the archive.
  private func startImport() async throws -> (CommandStage, ChildProcess, FileHandle) {
    let stage = try CommandStage()
    let made = try stage.shell(
      """
      mkfifo pipe && head -c 500000 /dev/urandom | split -a 3 -b 1000 - part- \
        && dragboard add --file part-* > ids && dragboard export -o a.tar
      """)
    #expect(made.status == .exited(0), "\(made.errors)")
    let pipe = stage.folder.appending(path: "pipe").path
    let process = try stage.start("import", pipe, "--name", "copy")
    let writer = try FileHandle(opening: pipe, O_WRONLY)
    let archive = try Data(contentsOf: stage.folder.appending(path: "a.tar"))
    try writer.write(contentsOf: archive.dropLast(20_000))
    let dragboard = try await DragboardConnection.connect(to: stage.daemon.bus.address)
    let deadline = ContinuousClock.now + Self.limit
    while (try? await dragboard.board(named: "copy").info().count) ?? 0 == 0 {
      try #require(ContinuousClock.now < deadline)
      try await Task.sleep(for: .milliseconds(10))
    }
    return (stage, process, writer)
  }

  @Test("A signal ends an import, which deletes the new board", arguments: [SIGINT, SIGTERM])
  func interruptedImport(signal: Int32) async throws {
    let (stage, process, writer) = try await startImport()
    let dragboard = try await DragboardConnection.connect(to: stage.daemon.bus.address)
    process.kill(signal)
    #expect(process.waitForExit() == .exited(128 + signal))
    #expect(try stage.lines("boards").count == 1)
    #expect(try await dragboard.deletedBoards().isEmpty)
    try writer.close()
  }

  @Test("If another client has edited the new board, a failed import deletes it restorably")
  func editedImport() async throws {
    let (stage, process, writer) = try await startImport()
    let dragboard = try await DragboardConnection.connect(to: stage.daemon.bus.address)
    try await dragboard.board(named: "copy").insert(["mine"])
    try writer.close()
    #expect(process.waitForExit() != .exited(0))
    #expect(try await dragboard.deletedBoards().map(\.name) == ["copy"])
    let restored = try await dragboard.restoreBoard(named: "copy")
    #expect(try await restored.search("mine").count == 1)
  }

  @Test("A signal ends an export whose output is not read")
  func interruptedExport() throws {
    let stage = try CommandStage()
    let made = try stage.shell(
      "mkfifo pipe; head -c 300000 /dev/zero | dragboard add --stdin --type a/b")
    #expect(made.status == .exited(0), "\(made.errors)")
    let pipe = stage.folder.appending(path: "pipe").path
    let process = try stage.start("export", "--output", pipe)
    let reader = try FileHandle(opening: pipe, O_RDONLY)
    #expect(try reader.read(upToCount: 512)?.count == 512)
    process.kill(SIGINT)
    #expect(process.waitForExit() == .exited(128 + SIGINT))
  }

  @Test("If a board changes during its export, the archive has one revision of the board")
  func changes() async throws {
    let stage = try CommandStage()
    let dragboard = try await DragboardConnection.connect(to: stage.daemon.bus.address)
    let board = try await dragboard.board(named: "default")
    let first = try await board.insert(["old"])[0]
    try await insertLargeRows(on: board)
    let last = try await board.insert(["old"])[0]
    let process = try startExport(on: stage)
    try await board.setText(of: first, to: "new")
    try await board.setText(of: last, to: "new")
    #expect(process.waitForExit() == .exited(0))
    let names = "$(tar -tf a.tar | grep -E '/(0000|0151)[.]txt$')"
    let texts = try stage.shell("tar -xOf a.tar board.json \(names)").output
      .matches(of: /old|new/).map { String($0.output) }.joined()
    #expect(["oldold", "newold", "newnew"].contains(texts))
  }

  @Test("A signal ends an export to a file, and leaves no file")
  func interruptedFile() async throws {
    let stage = try CommandStage()
    let dragboard = try await DragboardConnection.connect(to: stage.daemon.bus.address)
    try await insertLargeRows(on: try await dragboard.board(named: "default"))
    let process = try startExport(on: stage)
    process.kill(SIGINT)
    #expect(process.waitForExit() == .exited(128 + SIGINT))
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == [])
  }

  private func insertLargeRows(on board: Board) async throws {
    let content = [UInt8](repeating: 7, count: 400_000)
    for _ in 0..<150 { try await board.insert([("a/b", .data(content))]) }
  }

  /// Starts an export to the file `a.tar`; returns when it has written rows, but not all.
  private func startExport(on stage: CommandStage) throws -> ChildProcess {
    let path = stage.folder.appending(path: "a.tar").path
    let process = try stage.start("export", "--output", path)
    let deadline = ContinuousClock.now + Self.limit
    while unfinishedByteCount(in: stage.folder) < 1_000_000 {
      try #require(ContinuousClock.now < deadline && process.status == nil)
    }
    return process
  }

  private func unfinishedByteCount(in folder: URL) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard let name = names.first(where: { $0.hasPrefix(".dragboard-") }) else { return 0 }
    let path = folder.appending(path: name).path
    return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }
}
