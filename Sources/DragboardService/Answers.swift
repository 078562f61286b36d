import DBus
import DragModel
import DragboardInterface

extension DragError {
  /// The error on the wire; `argument` is the argument that exceeds a limit.
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
  /// Parses a type in a call.
  ///
  /// - Throws: InvalidArgs.
  init(argument name: String, _ text: String) throws(DBusError) {
    do throws(ContentTypeError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }
}

extension TypeQuery {
  /// Parses a query that a call stores.
  ///
  /// - Throws: InvalidArgs.
  init(argument name: String, _ text: String) throws(DBusError) {
    do throws(ContentTypeError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }

  /// Parses a query of a call; it may name a type that only earlier versions stored.
  ///
  /// - Throws: InvalidArgs.
  init(asking name: String, _ text: String) throws(DBusError) {
    do throws(ContentTypeError) { try self.init(stored: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }
}

extension Visibility {
  /// Parses a visibility in a call.
  ///
  /// - Throws: InvalidArgs.
  init(argument text: String) throws(DBusError) {
    do throws(VisibilityError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, "\(error)")
    }
  }
}

extension ContentTypeError {
  /// The model's messages name the argument `type`; a call may have another name for it.
  fileprivate func message(naming argument: String) -> String {
    let message = "\(self)"
    return argument == "type" || !message.hasPrefix("type:")
      ? message : argument + message.dropFirst(4)
  }
}
