/// What a connection may do with boards: the one statement of it.
///
/// Without a sandbox it may do everything. In one it brings rows, and knows, changes, moves and deletes those that it brought; of all
/// others it sees that they are there, and where. Boards, their sections, their settings and the order of all rows are not its own to
/// change.
public struct BoardAccess: Hashable, Sendable {
  /// Who calls.
  public let caller: Caller
  /// Whether a sandboxed caller may know what all rows hold.
  private let opensContents: Bool

  /// The access of a caller; `opensContents` lets it know what all rows hold, sandboxed or not.
  public init(of caller: Caller, opensContents: Bool) {
    self.caller = caller
    self.opensContents = opensContents
  }

  private var isUnsandboxed: Bool { caller.confinement == .unsandboxed }

  /// Whether it may change what is not one row's: boards, sections, settings, the order of all rows, what others did last.
  public var governs: Bool { isUnsandboxed }

  /// Whether it may know what every row holds.
  public var readsEverything: Bool { isUnsandboxed || opensContents }

  /// What the rows that it brings bear as their source: its sandbox's id, "" without a sandbox.
  public var source: String { sandbox ?? "" }

  /// What the rows of a drag bear as their source.
  ///
  /// A unique name is somebody else's after a restart of the bus; a sandbox's rows are known by its id.
  public func source(ofDragBy application: Application) -> String {
    guard case .uniqueName(caller.uniqueName) = application else { return application.description }
    return sandbox ?? application.description
  }

  /// Whether it may know what a row holds that `source` brought.
  public func reads(rowOf source: String) -> Bool { readsEverything || owns(source) }

  /// Whether it may change, move and delete a row that `source` brought.
  public func changes(rowOf source: String) -> Bool { isUnsandboxed || owns(source) }

  private func owns(_ source: String) -> Bool {
    guard case .sandboxed(let id) = caller.confinement else { return false }
    return source == id.text
  }

  private var sandbox: String? {
    switch caller.confinement {
    case .unsandboxed: nil
    case .sandboxed(let id): id.text
    case .doubtful: caller.uniqueName
    }
  }
}
