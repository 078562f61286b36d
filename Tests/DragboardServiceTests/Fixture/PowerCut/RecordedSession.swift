import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// The edits of a client of a recorded daemon, one after the other, and the board after each edit.
final class RecordedSession {
  /// An edit and its answer.
  struct Milestone {
    let description: String
    /// The ends of the log before the request and at the answer.
    let asked, answered: Int
    /// Whether the daemon sends a signal before it makes the edit.
    let isSlow: Bool
    /// The board that the client saw after the edit; nil if the client did not read it.
    let seen: WholeBoard?
  }

  /// The data directory, in the form of path that the daemon uses.
  let folder: String
  private(set) var milestones: [Milestone] = []
  /// The parts of the log from a refusal to the next answer.
  ///
  /// A refused edit may be durable, but only as a whole.
  private(set) var doubts: [Range<Int>] = []
  /// The position of the latest refused request, until an edit is acknowledged.
  private var firstDoubt: Int?
  /// How many edits were refused.
  private(set) var refusals = 0
  private let recorder: Recorder
  private let refuser: Refuser
  private let failures: Int?
  private let environment: [String: String]
  private let daemon: Daemon
  private var client: BusClient
  private var numbers = SplitMix64(seed: 11)

  /// Makes `edits` edits; in between, the daemon restarts once and crashes once.
  ///
  /// - Parameters:
  /// - edits: the number of edits.
  /// - failures: the number of edits from one failed sync to the next, after which the edit is
  /// requested again; nil for no failures.
  /// - Throws: the error of the daemon.
  init(edits: Int, failures: Int? = nil) throws {
    recorder = try Recorder()
    refuser = try Refuser()
    self.failures = failures
    let bus = try PrivateBus()
    folder = bus.home.path + "/data/dragboard"
    environment = recorder.environment(folder, before: refuser.environment(folder))
    daemon = try Daemon(["--undo-steps", "3"], environment: environment, on: bus)
    client = try daemon.client()
    // When syncs fail, they fail until the process ends: the next process would find data in the
    // page cache that is not on the disk.
    let stride = failures ?? 1
    let ends = [edits / 3, edits * 2 / 3].map { $0 / stride * stride }
    for number in 0..<edits {
      try edit(number, isLast: ends.contains(number + 1))
      if number + 1 == ends[0] { try restart { _ = daemon.terminate() } }
      if number + 1 == ends[1] { try restart { try recorder.betweenCalls(daemon.kill) } }
    }
    if let firstDoubt { doubts.append(firstDoubt..<Int.max) }
  }

  /// Returns everything that was recorded.
  func operations() throws -> [(operation: RecordedOperation, start: Int)] {
    try recorder.operations()
  }

  private func restart(_ stop: () throws -> Void) throws {
    let asked = recorder.position
    try stop()
    if failures != nil { firstDoubt = firstDoubt ?? asked }
    refuser.relent()
    try daemon.start(environment: environment)
    client = try daemon.client()
  }

  private func edit(_ number: Int, isLast: Bool) throws {
    let edit = try next(number)
    // All earlier signals have arrived, so every later signal is a result of the edit.
    _ = client.takeSignals()
    if let failures, number % failures == failures - 1 {
      // A drop that has waited has ended its session, so it cannot be requested again.
      guard try fail(edit, isLast), !isLast, edit.description != Self.slow else { return }
    }
    let asked = recorder.position
    do { try client.wait(for: edit.call) } catch {
      guard error.name == .nothingToUndo else { throw error }
      return
    }
    try note(edit, since: asked, isSeen: number.isMultiple(of: 4))
  }

  /// Notes that the edit was made.
  private func note(_ edit: NextEdit, since asked: Int, isSeen: Bool = false) throws {
    let answered = recorder.position
    if let firstDoubt {
      doubts.append(firstDoubt..<answered)
      self.firstDoubt = nil
    }
    milestones.append(
      Milestone(
        description: edit.description, asked: asked, answered: answered,
        isSlow: edit.description == Self.slow, seen: isSeen ? try client.whole() : nil))
  }

  /// Makes the edit fail at its first or second sync.
  ///
  /// The last edit of a process fails at every sync, and so does everything after it. If the daemon
  /// is indexing rows at the same time, the indexing may fail instead, and the edit is made.
  ///
  /// - Returns: whether the edit failed.
  private func fail(_ edit: NextEdit, _ isLast: Bool) throws -> Bool {
    let asked = recorder.position
    refuser.refuse(.syncs, .EIO, count: isLast ? nil : refusals % 2 + 1)
    let answer = client.answers(to: [edit.call])[0]
    if !isLast { refuser.relent() }
    firstDoubt = firstDoubt ?? asked
    switch answer {
    case .success:
      try note(edit, since: asked)
      return false
    case .failure(let error):
      refusals += 1
      #expect([.ioError, .nothingToUndo].contains(error.name))
      return true
    }
  }

  // MARK: Edits

  private static let slow = "drop something large"

  private typealias NextEdit = (description: String, call: OutgoingMessage)

  private func next(_ number: Int) throws -> NextEdit {
    let count = try client.get(BoardInterface.count)
    guard count > 2 else { return insert(number) }
    let row = UInt32.random(in: 0..<count, using: &numbers)
    switch Int.random(in: 0..<17, using: &numbers) {
    case 0, 1, 2: return insert(number)
    case 3:
      let texts = (0..<20).map { "text \($0) of \(number)" }
      return ("insert texts", call(BoardInterface.insertTexts, 0, -1, texts))
    case 4, 5: return insertData(number, byteCount: 60_000)
    case 6, 7: return insertData(number % 4, byteCount: 70_000)
    case 8: return try setText(number)
    case 9: return ("move", call(BoardInterface.moveRow, 0, row, 0, count - 1))
    case 10:
      let rows = try client.rows().map(\.id).shuffled(using: &numbers).prefix(count > 40 ? 25 : 2)
      return ("delete", call(BoardInterface.deleteItems, Array(rows)))
    case 11:
      let session = try client.drag(["dropped \(number)", "and \(number)"])
      return ("drop", call(DropTargetInterface.performDrop, session, "org.y", 0, 0))
    case 12, 13: return try dropLarge(number)
    case 14: return ("undo", call(BoardInterface.undo))
    case 15:
      return ("retain", setting(BoardInterface.retainRows, to: Variant(.uint32(20 + row % 20))))
    default:
      return ("insert section", call(BoardInterface.insertSection, "section \(number)", -1))
    }
  }

  private func insert(_ number: Int) -> NextEdit {
    ("insert", call(BoardInterface.insertText, 0, -1, "row \(number)"))
  }

  private func insertData(_ number: Int, byteCount: Int) -> NextEdit {
    let bytes = pattern(byteCount, every: 200 + number % 50)
    return (
      "insert \(byteCount) bytes",
      call(BoardInterface.insertData, 0, 0, "application/x-data", bytes)
    )
  }

  private func dropLarge(_ number: Int) throws -> NextEdit {
    let session = try client.beginDrag()
    try client.call(
      DragSessionInterface.registerData, at: session,
      client.call(DragSessionInterface.addItem, at: session, ""), "application/x-large", "all",
      pattern(80_000 + number))
    return (Self.slow, call(DropTargetInterface.performDrop, session, "org.y", 0, 0))
  }

  private func setText(_ number: Int) throws -> NextEdit {
    let id = try client.rows().randomElement(using: &numbers)?.id ?? ""
    let text = String(repeating: "changed \(number) ", count: number.isMultiple(of: 3) ? 8_000 : 1)
    return ("set text", call(BoardInterface.setText, id, text))
  }
}
