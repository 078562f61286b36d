import DBus
import DragModel

/// A connection that calls, once it is known who that is.
final class Client {
  /// What it may do.
  let access: BoardAccess
  /// When it is looked at again; nil where what is known of it is sure.
  let doubtsEnd: ContinuousClock.Instant?
  /// What it has been answered and may not have read.
  let unread: UnreadAnswers
  /// Whether its calls wait for their turn.
  let turns: CallTurns

  /// A client, in place of what was known of the same connection before.
  init(
    _ access: BoardAccess, doubtsEnd: ContinuousClock.Instant? = nil, replacing other: Client?
  ) {
    self.access = access
    self.doubtsEnd = doubtsEnd
    unread = other?.unread ?? UnreadAnswers()
    turns = other?.turns ?? CallTurns()
  }

  /// Its unique name.
  var name: String { access.caller.uniqueName }

  /// Whether calls of it wait for their turn, or until it reads.
  var hasWaitingCalls: Bool { turns.areWaiting || unread.holdsCalls }
}

extension Call {
  /// What the caller may do; of one that nobody has looked at nothing is taken for granted.
  var access: BoardAccess {
    if let client = peer as? Client { return client.access }
    return BoardAccess(
      of: Caller(uniqueName: sender, confinement: .doubtful), opensContents: false)
  }

  /// Who calls.
  var caller: Caller { access.caller }
}

extension BoardAccess {
  /// Refuses a sandboxed caller what is not about rows of its own.
  func checkGoverns() throws(DBusError) {
    guard governs else {
      throw DBusError(
        .accessDenied,
        "a sandboxed client inserts rows, and changes, moves and deletes those that it brought; the rest is not its own"
      )
    }
  }
}
