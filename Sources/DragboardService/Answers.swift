import DBus
import DragModel
import DragboardInterface

extension DragError {
  /// The error on the wire; `argument` is what a limit was met by.
  func answer(argument: String) -> DBusError {
    switch self {
    case .sessionEnded: DBusError(.sessionEnded, "\(self)")
    case .noSuchItem: DBusError(.noSuchItem, "\(self)")
    case .noSuchRepresentation: DBusError(.noSuchRepresentation, "\(self)")
    case .notReadable, .notDestination: DBusError(.accessDenied, "\(self)")
    case .duplicateRepresentation: DBusError(.duplicateRepresentation, "\(self)")
    case .limitExceeded(.items, let most): .limit(SessionLimit.items.rawValue, most)
    case .limitExceeded(let limit, let most): .limit("\(argument): \(limit.rawValue)", most)
    }
  }
}

extension ContentType {
  /// A type that a call names.
  ///
  /// - Throws: InvalidArgs.
  init(argument name: String, _ text: String) throws(DBusError) {
    do throws(ContentTypeError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }
}

extension TypeQuery {
  /// A question that a call stores.
  ///
  /// - Throws: InvalidArgs.
  init(argument name: String, _ text: String) throws(DBusError) {
    do throws(ContentTypeError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }

  /// A question that a call asks; it may name a type that only earlier versions stored.
  ///
  /// - Throws: InvalidArgs.
  init(asking name: String, _ text: String) throws(DBusError) {
    do throws(ContentTypeError) { try self.init(stored: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }
}

extension Visibility {
  /// A visibility that a call names.
  ///
  /// - Throws: InvalidArgs.
  init(argument text: String) throws(DBusError) {
    do throws(VisibilityError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, "\(error)")
    }
  }
}

extension ContentTypeError {
  /// The model speaks of `type`; a call may call it otherwise.
  fileprivate func message(naming argument: String) -> String {
    let words = "\(self)"
    return argument == "type" || !words.hasPrefix("type:") ? words : argument + words.dropFirst(4)
  }
}
