/// The set of applications that may see a representation; a wider set is greater.
///
/// The sets are nested: a group is part of its team. So for each viewer and source there is one
/// narrowest visibility that the viewer sees, its *reach*. The viewer sees the representations with
/// this or a wider visibility.
public enum Visibility: Int, Comparable, CaseIterable, Sendable {
  /// The source only.
  case ownProcess
  /// Applications whose ids share all labels but the last with the source's id. Both ids have at
  /// least three labels.
  case group
  /// Applications whose ids share the first two labels with the source's id. Both ids have at least
  /// three labels.
  case team
  /// All applications.
  case all

  /// Finds a visibility by its name on the wire.
  ///
  /// - Throws: `VisibilityError`, which lists the valid names, if there is no such visibility.
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

  /// Returns the narrowest visibility at which an application sees a drag of `source`.
  public static func reach(of viewer: Application, into source: Application) -> Visibility {
    guard viewer != source else { return .ownProcess }
    guard case (.id(let viewer), .id(let source)) = (viewer, source) else { return .all }
    return viewer.sharesGroup(with: source)
      ? .group : viewer.sharesTeam(with: source) ? .team : .all
  }

  /// Returns the narrowest visibility at which a caller sees a drag of `source`.
  ///
  /// If the caller may act as several applications, this is the narrowest visibility that any of
  /// them sees.
  public static func reach(of caller: Caller, into source: Application) -> Visibility {
    guard !caller.counts(as: source) else { return .ownProcess }
    guard case .sandboxed(let sandbox) = caller.confinement else { return .all }
    return reach(of: .id(sandbox), into: source)
  }

  /// Returns whether the first visibility is narrower.
  public static func < (one: Visibility, other: Visibility) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// The error for a name that is not the name of a visibility.
public struct VisibilityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid name.
  public let name: String

  /// The problem and the valid names.
  public var description: String {
    let names = Visibility.allCases.reversed().map(\.name).joined(separator: ", ")
    return "visibility: \(name.quoted) does not exist (expected one of \(names))"
  }
}
