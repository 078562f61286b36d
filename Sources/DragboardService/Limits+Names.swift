public import DragboardInterface

extension Limits {
  /// The property of a limit.
  public enum Value: Sendable {
    /// A count, or a number of bytes.
    case count(any WritableKeyPath<Limits, Int> & Sendable)
    /// A timeout.
    case duration(any WritableKeyPath<Limits, Duration> & Sendable)
  }

  /// Returns the property of the limit with this name.
  public static func value(of name: LimitName) -> Value {
    switch name {
    case .maxSessionsPerApplication: .count(\.maxSessionsPerApplication)
    case .maxSessions: .count(\.maxSessions)
    case .maxItems: .count(\.maxItems)
    case .maxRepresentationBytes: .count(\.maxRepresentationBytes)
    case .maxSessionBytes: .count(\.maxSessionBytes)
    case .maxBytes: .count(\.maxBytes)
    case .maxRows: .count(\.maxRows)
    case .maxBoards: .count(\.maxBoards)
    case .maxSections: .count(\.maxSections)
    case .maxViews: .count(\.maxViews)
    case .maxSandboxBytes: .count(\.maxSandboxBytes)
    case .undoSteps: .count(\.undoSteps)
    case .undoBytes: .count(\.undoBytes)
    case .sessionTimeout: .duration(\.sessionTimeout)
    case .loadTimeout: .duration(\.loadTimeout)
    case .idleTimeout: .duration(\.idleTimeout)
    }
  }

  /// The limits in the form of the property `Limits`: counts, bytes, and seconds.
  ///
  /// Fractions of a second are rounded up.
  var byName: [String: UInt64] {
    LimitName.allCases.reduce(into: [:]) { limits, name in
      limits[name.rawValue] =
        switch Self.value(of: name) {
        case .count(let path): UInt64(self[keyPath: path])
        case .duration(let path): self[keyPath: path].wholeSeconds
        }
    }
  }
}

extension Duration {
  /// The seconds, rounded up.
  fileprivate var wholeSeconds: UInt64 {
    UInt64(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
  }
}
