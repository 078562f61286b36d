import DragModel

/// The client for which rows are inserted.
struct Inserter {
  /// The source of the rows with which the new rows are compared, if the board moves duplicates; nil
  /// for all rows.
  let source: String?
  /// The sandbox of the client; nil for the user.
  ///
  /// The insertion evicts only rows of this sandbox.
  let sandbox: String?
  /// Whether the new rows use the sandbox's share of the board.
  ///
  /// The rows of a drag that another client drops do not.
  let usesShare: Bool

  /// The user: any unsandboxed client.
  static let user = Inserter(source: nil, sandbox: nil, usesShare: false)

  /// The sandbox whose share the new rows use; nil for rows of the user.
  var sandboxOfRows: String? { usesShare ? sandbox : nil }
}

extension BoardAccess {
  /// The caller as the client that inserts rows.
  var inserter: Inserter {
    governs ? .user : Inserter(source: source, sandbox: sandboxOfQuotas, usesShare: true)
  }
}

extension SessionEntity {
  /// The client for which a drop of the session inserts rows.
  func inserter(droppedBy access: BoardAccess) -> Inserter {
    guard access.governs, let sandbox else { return access.inserter }
    return Inserter(source: rowSource, sandbox: sandbox, usesShare: false)
  }
}
