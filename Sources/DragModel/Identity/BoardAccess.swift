/// The permissions of a connection on boards.
///
/// All rules are in this type.
///
/// An unsandboxed caller may do everything. A sandboxed caller may insert rows, and may read,
/// change, move and delete the rows that it inserted. It sees only the ids and the positions of
/// other rows. It may not change boards, sections, settings or the order of all rows.
public struct BoardAccess: Hashable, Sendable {
  /// The calling connection.
  public let caller: Caller
  /// Whether a sandboxed caller may read the contents of all rows.
  private let opensContents: Bool

  /// Creates the access of a caller.
  ///
  /// If `opensContents` is true, a sandboxed caller may read the contents of all rows.
  public init(of caller: Caller, opensContents: Bool) {
    self.caller = caller
    self.opensContents = opensContents
  }

  private var isUnsandboxed: Bool { caller.confinement == .unsandboxed }

  /// Whether the caller may change boards, sections, settings and the order of all rows, and undo
  /// edits of other callers.
  public var governs: Bool { isUnsandboxed }

  /// Whether the caller may read the contents of all rows.
  public var readsEverything: Bool { isUnsandboxed || opensContents }

  /// The source of the rows that the caller inserts: the id of its sandbox, "" without a sandbox.
  public var source: String { sandbox ?? "" }

  /// Returns the source of the rows that a drag of an application inserts.
  ///
  /// After a restart of the bus, a unique name can belong to another connection. So rows of a
  /// sandboxed caller have the id of its sandbox as their source.
  public func source(ofDragBy application: Application) -> String {
    guard case .uniqueName(caller.uniqueName) = application else { return application.description }
    return sandbox ?? application.description
  }

  /// Returns whether the caller may read the contents of a row with this source.
  public func reads(rowOf source: String) -> Bool { readsEverything || owns(source) }

  /// Returns whether the caller may change, move and delete a row with this source.
  public func changes(rowOf source: String) -> Bool { isUnsandboxed || owns(source) }

  private func owns(_ source: String) -> Bool {
    guard case .sandboxed(let id) = caller.confinement else { return false }
    return source == id.text
  }

  private var sandbox: String? {
    switch caller.confinement {
    case .unsandboxed: nil
    case .sandboxed(let id): id.text
    case .unverified: caller.uniqueName
    }
  }
}
