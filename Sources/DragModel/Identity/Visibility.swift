/// Who may see a representation; wider is greater.
///
/// What is visible to a group is visible to no more than its team, and so on: for a viewer and a source there is
/// one narrowest visibility that the viewer sees, its *reach*, and it sees whatever is at least that.
public enum Visibility: Int, Comparable, CaseIterable, Sendable {
  /// The source alone.
  case ownProcess
  /// Applications whose ids share all labels with the source's but the last, of at least three.
  case group
  /// Applications whose ids share the first two labels with the source's, of at least three.
  case team
  /// Everybody.
  case all

  /// Finds a visibility by its name on the wire.
  ///
  /// - Throws: `VisibilityError`, which lists the names.
  public init(parsing name: String) throws(VisibilityError) {
    guard let visibility = Self.allCases.first(where: { $0.name == name }) else {
      throw VisibilityError(name: name)
    }
    self = visibility
  }

  /// The name on the wire.
  public var name: String {
    switch self {
    case .ownProcess: "own-process"
    case .group: "group"
    case .team: "team"
    case .all: "all"
    }
  }

  /// The narrowest visibility that an application sees of what the source drags.
  public static func reach(of viewer: Application, into source: Application) -> Visibility {
    guard viewer != source else { return .ownProcess }
    guard case (.id(let viewer), .id(let source)) = (viewer, source) else { return .all }
    return viewer.sharesGroup(with: source)
      ? .group : viewer.sharesTeam(with: source) ? .team : .all
  }

  /// The narrowest visibility that a connection sees, as whatever it counts as.
  public static func reach(of caller: Caller, into source: Application) -> Visibility {
    guard !caller.counts(as: source) else { return .ownProcess }
    guard case .sandboxed(let sandbox) = caller.confinement else { return .all }
    return reach(of: .id(sandbox), into: source)
  }

  /// Whether the one is narrower than the other.
  public static func < (one: Visibility, other: Visibility) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// A visibility of a name that there is not.
public struct VisibilityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let name: String

  /// What was wrong, and what would have been right.
  public var description: String {
    let names = Visibility.allCases.reversed().map(\.name).joined(separator: ", ")
    return "visibility: \(name.quoted) is none; one of \(names) is needed"
  }
}
