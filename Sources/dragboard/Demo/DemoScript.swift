import DBus
import DragboardClient
import DragboardInterface

/// The steps of the demonstration.
///
/// A step that fails ends the demonstration.
final class DemoScript {
  private let stage: DemoStage
  private let show: (DemoStep) throws(Failure) -> Void
  private let board = Dragboard.boardPath(Dragboard.defaultBoard)
  private var step = DemoStep(number: 0, title: "")
  private var rows: [Row] = []

  private struct Row: Equatable {
    let id: String
    let text: String
  }

  /// The application that drags the texts of the demonstration, and drops them.
  private static let notes = "org.example.Notes"
  private static let mail = "org.example.Mail"

  /// Creates a demonstration.
  ///
  /// It calls `show` after each step, even if the step failed.
  init(on stage: DemoStage, show: @escaping (DemoStep) throws(Failure) -> Void) {
    self.stage = stage
    self.show = show
  }

  func play() throws(Failure) {
    try play("A private bus and the daemon start", start)
    try play("A script adds three rows to the board", fill)
    var session: ObjectPath = "/"
    try play("Notes begins a drag of two texts") { () throws(Failure) in session = try pickUp() }
    try play("Mail asks for the effect of a drop at row 1") { () throws(Failure) in
      try propose(session)
    }
    try play("Mail drops the texts there; the drop copies them") { () throws(Failure) in
      try drop(session)
    }
    try play("Mail drags the last row and drops it at the top; the drop moves it") {
      () throws(Failure) in try move()
    }
    try play(
      "Mail drags two rows; the drag is cancelled: this board moves only single rows", cancel)
    try play("The daemon is killed and started again, and the rows are still there", restart)
  }

  // MARK: The steps

  private func start() throws(Failure) {
    note(
      ["dbus-daemon --session --nofork --print-address --address=\(stage.busAddress)"],
      output: [stage.address], isLasting: true)
    note(["export DBUS_SESSION_BUS_ADDRESS=\(stage.busAddress)"])
    note(["dbus-monitor --session"] + DemoStage.rules.map { "\"\($0)\"" }, isLasting: true)
    note(["dragboardd"], isLasting: true)
    try stage.startDaemon()
    try expectOwnerChange(gone: false)
  }

  private func fill() throws(Failure) {
    let texts = ["Call the garage", "Buy stamps", "Read the paper"]
    let reply = try call(BoardInterface.insertTexts, of: board, 0, -1, texts)
    rows = try insertedRows(reply.first, texts, by: "InsertTexts")
  }

  private func pickUp() throws(Failure) -> ObjectPath {
    let texts = Self.texts
    let reply = try call(ManagerInterface.beginTextDrag, of: Dragboard.root, Self.notes, texts)
    return try begun(reply, by: Self.notes)
  }

  private static let texts = ["Breakfast with Ada", "Return the library books"]

  private func propose(_ session: ObjectPath) throws(Failure) {
    let reply = try call(DropTargetInterface.proposeDrop, of: board, session, Self.mail, 0, 1)
    try expect("ProposeDrop", reply, ["copy", "insert-at-destination", 0, 1])
  }

  private func drop(_ session: ObjectPath) throws(Failure) {
    let reply = try call(DropTargetInterface.performDrop, of: board, session, Self.mail, 0, 1)
    try expect("PerformDrop", reply.first, "copy")
    rows.insert(contentsOf: try insertedRows(reply.last, Self.texts, by: "PerformDrop"), at: 1)
    try expectEnd(of: session, by: Self.notes, "copy")
  }

  private func move() throws(Failure) {
    let last = UInt32(rows.count - 1)
    let session = try begun(
      try call(DragSourceInterface.beginRowDrag, of: board, Self.mail, 0, last), by: Self.mail)
    let reply = try call(DropTargetInterface.performDrop, of: board, session, Self.mail, 0, 0)
    let row = rows.removeLast()
    rows.insert(row, at: 0)
    try expect("PerformDrop", reply, ["move", [.string(row.id)]])
    try expectEnd(of: session, by: Self.mail, "move")
  }

  private func cancel() throws(Failure) {
    let dragged = rows.prefix(2).map(\.id)
    let session = try begun(
      try call(DragSourceInterface.beginDrag, of: board, Self.mail, dragged), by: Self.mail)
    let reply = try call(DropTargetInterface.performDrop, of: board, session, Self.mail, 0, 3)
    try expect("PerformDrop", reply, ["cancel", []])
    try expectEnd(of: session, by: Self.mail, "cancel")
  }

  private func restart() throws(Failure) {
    note(["kill -KILL \(stage.daemonID ?? 0)"])
    stage.killDaemon()
    try expectOwnerChange(gone: true)
    note(["dragboardd"], isLasting: true)
    try stage.startDaemon()
    try expectOwnerChange(gone: false)
  }

  // MARK: Running a step

  private func play(_ title: String, _ body: () throws(Failure) -> Void) throws(Failure) {
    step = DemoStep(number: step.number + 1, title: title)
    do throws(Failure) {
      try body()
      step.board = try stage.read(Dragboard.defaultBoard)
      let found = step.board?.rows.map { Row(id: "\($0.row.id)", text: $0.row.preview) } ?? []
      guard found == rows else {
        throw .unexpected(
          what: "the board", expected: "\(rows.map(\.text))", actual: "\(found.map(\.text))")
      }
    } catch {
      step.failure = error.description
      try show(step)
      throw error
    }
    try show(step)
  }

  /// Records a command other than dbus-send.
  ///
  /// If `isLasting` is true, it runs in the background.
  private func note(_ command: [String], output: [String] = [], isLasting: Bool = false) {
    let command = isLasting ? command.dropLast() + [(command.last ?? "") + " &"] : command
    step.events.append(.command(command, output: output, reply: output.map { .string($0) }))
  }

  private func call<each Input: BusValue & DBusSendArgument, Output>(
    _ method: MethodDeclaration<Arguments<repeat each Input>, Output>, of path: ObjectPath,
    _ inputs: repeat each Input
  ) throws(Failure) -> [JSON] {
    let call = DBusSendCall(method, of: path, repeat each inputs)
    let (output, reply) = try stage.send(call)
    step.events.append(.command(call.shown, output: output, reply: reply))
    return reply
  }

  // MARK: Checking

  private func expect<Found: Equatable>(
    _ what: String, _ found: Found, _ expected: Found
  ) throws(Failure) {
    guard found == expected else {
      throw .unexpected(what: what, expected: "\(expected)", actual: "\(found)")
    }
  }

  private func insertedRows(
    _ reply: JSON?, _ texts: [String], by method: String
  ) throws(Failure) -> [Row] {
    let ids = reply?.elements?.compactMap(\.text) ?? []
    guard Set(ids).count == texts.count else {
      throw .unexpected(
        what: method, expected: "\(texts.count) ids", actual: reply?.description ?? "nothing")
    }
    return zip(ids, texts).map { Row(id: $0, text: $1) }
  }

  private func begun(
    _ reply: [JSON], by application: String
  ) throws(Failure) -> ObjectPath {
    let text = reply.first?.text ?? ""
    try expectSignal(ManagerInterface.dragBegan, [.string(text), .string(application)])
    return ObjectPath(unchecked: text)
  }

  private func expectEnd(
    of session: ObjectPath, by application: String, _ operation: String
  ) throws(Failure) {
    try expectSignal(
      ManagerInterface.dragEnded, [.string(session.text), .string(application), .string(operation)])
  }

  private func expectSignal<Content>(
    _ signal: SignalDeclaration<Content>, _ arguments: [JSON]
  ) throws(Failure) {
    let found = try stage.nextSignal(argumentCount: arguments.count)
    step.events.append(.signal(found))
    let expected = SeenSignal(member: signal.description.name.text, arguments: arguments)
    try expect("the next signal", found, expected)
  }

  /// Expects a signal that the daemon's name gets an owner, or loses its owner.
  private func expectOwnerChange(gone: Bool) throws(Failure) {
    let found = try stage.nextSignal(argumentCount: 3)
    step.events.append(.signal(found))
    let owner = found.arguments.last?.text ?? ""
    guard found.member == "NameOwnerChanged", owner.isEmpty == gone else {
      throw .unexpected(
        what: "the next signal",
        expected: "NameOwnerChanged, because the daemon \(gone ? "leaves" : "joins") the bus",
        actual: "\(found.member) \(found.arguments)")
    }
  }
}
