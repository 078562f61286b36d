import DBus
import DragboardInterface
import Foundation
import TestSupport

/// The outcome of an edit of a client.
struct Attempt: Sendable {
  enum Outcome: Sendable {
    /// The edit was acknowledged.
    ///
    /// It has the revision or the new items if the reply has them, and the session of a drop.
    case done(revision: UInt64?, items: [String], session: String?)
    /// The edit was refused and changed nothing.
    case refused(DBusError)
    /// The edit was not answered, and may have been made or not.
    case unknown
  }

  let edit: Edit
  let outcome: Outcome
  /// The number of the editing call among the client's calls.
  let order: Int
}

/// A client that edits a board at random on a separate thread, with several outstanding calls.
///
/// `@unchecked` is safe, because its owner accesses it only before it starts and after it has
/// ended.
final class EditingClient: @unchecked Sendable {
  /// The edits in the order of their answers.
  private(set) var attempts: [Attempt] = []
  /// Called on the client's thread with every acknowledged or refused edit.
  var onAnswer: (Attempt) -> Void = { _ in }
  /// The client's copy of the board, for edits that arrange the board.
  var board: () -> Replica? = { nil }
  private let client: BusClient
  private var edits: RandomEdits
  private var items: [String]
  private var left = 0
  private var outstanding = 0
  private var sent = 0
  private var isCutOff = false
  private let hasEnded = DispatchSemaphore(value: 0)

  private static let window = 3

  init(_ client: BusClient, _ edits: RandomEdits, items: [String]) {
    self.client = client
    self.edits = edits
    self.items = items
  }

  /// Requests `count` edits, one after the other, until the daemon has exited.
  func start(_ count: Int) {
    (left, attempts) = (count, [])
    let thread = Thread { [self] in
      for _ in 0..<Self.window { next() }
      client.connection.loop.wait { outstanding == 0 }
      hasEnded.signal()
    }
    thread.start()
  }

  /// Waits until every edit has been answered, or the daemon has exited.
  func wait() { hasEnded.wait() }

  private func next() {
    guard left > 0, !isCutOff else { return }
    left -= 1
    outstanding += 1
    let edit = edits.next(items: items, board: board())
    let order = number()
    client.connection.send(edit.message()) { [self] in received($0, for: edit, order) }
  }

  /// Handles the first answer to an edit; for a drop, this is the answer to BeginDrag.
  private func received(_ result: Result<Message, DBusError>, for edit: Edit, _ order: Int) {
    guard case .success(let reply) = result,
      let session = try? reply.arguments(as: ObjectPath.self),
      let drop = edit.drop(of: session), !isCutOff
    else { return conclude(edit, result, order, session: nil) }
    let order = number()
    client.connection.send(drop) { [self] in conclude(edit, $0, order, session: session) }
  }

  private func number() -> Int {
    sent += 1
    return sent
  }

  private func conclude(
    _ edit: Edit, _ result: Result<Message, DBusError>, _ order: Int, session: ObjectPath?
  ) {
    outstanding -= 1
    let attempt = Attempt(edit: edit, outcome: outcome(of: edit, result, session), order: order)
    attempts.append(attempt)
    if !isCutOff { onAnswer(attempt) }
    next()
  }

  private func outcome(
    of edit: Edit, _ result: Result<Message, DBusError>, _ session: ObjectPath?
  ) -> Attempt.Outcome {
    switch result {
    case .success(let reply):
      if edit.isDrop { return outcomeOfDrop(reply, session) }
      let revision = try? reply.arguments(as: UInt64.self)
      let item = (try? reply.arguments(as: String.self)).map { [$0] }
      let items = (try? reply.arguments(as: [String].self)) ?? item ?? []
      self.items = self.items.suffix(40) + items
      return .done(revision: revision, items: items, session: nil)
    case .failure(let error) where error.name == .noReply:
      isCutOff = true
      // If the drag has not begun, there was no drop.
      return edit.isDrop && session == nil ? .refused(error) : .unknown
    case .failure(let error):
      if error.name == .serviceUnknown { isCutOff = true }
      if let session { cancel(session) }
      return .refused(error)
    }
  }

  private func outcomeOfDrop(_ reply: Message, _ session: ObjectPath?) -> Attempt.Outcome {
    guard let session,
      let (operation, items) = try? reply.arguments(as: String.self, [String].self),
      operation == "copy" || operation == "move"
    else { return .refused(DBusError(.failed, "not dropped")) }
    return .done(revision: nil, items: items, session: session.text)
  }

  /// Cancels the session of a refused drop, because the session stays active.
  private func cancel(_ session: ObjectPath) {
    let cancel = call(DragSessionInterface.cancel, at: session)
    cancel.expectNoReply()
    client.connection.send(cancel)
  }
}

extension Edit {
  /// Whether the edit needs two calls.
  var isDrop: Bool {
    switch self {
    case .dropTexts, .dropRow: true
    default: false
    }
  }
}
