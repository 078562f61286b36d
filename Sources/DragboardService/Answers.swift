import BoardModel
import DBus
import DragModel
import DragboardInterface

extension DragError {
  /// Returns the error that the client receives.
  ///
  /// `argument` names the argument that exceeds a limit.
  func answer(argument: String) -> DBusError {
    switch self {
    case .sessionEnded: DBusError(.sessionEnded, "\(self)")
    case .noSuchItem: DBusError(.noSuchItem, "\(self)")
    case .noSuchRepresentation: DBusError(.noSuchRepresentation, "\(self)")
    case .notReadable, .notDestination: DBusError(.accessDenied, "\(self)")
    case .duplicateRepresentation: DBusError(.duplicateRepresentation, "\(self)")
    case .limitExceeded(.items, let most): .limit("session: \(SessionLimit.items.rawValue)", most)
    case .limitExceeded(let limit, let most): .limit("\(argument): \(limit.rawValue)", most)
    }
  }
}

extension Name {
  /// Parses the name of a board or a section in a call.
  ///
  /// - Throws: InvalidArgs if the text is invalid.
  init(argument: String, _ text: String) throws(DBusError) {
    do throws(NameFault) { try self.init(text) } catch {
      throw DBusError(.invalidArgs, "\(argument): \(error)")
    }
  }
}

extension MIMEType {
  /// Parses a type in a call.
  ///
  /// - Throws: InvalidArgs if the text is invalid.
  init(argument name: String, _ text: String) throws(DBusError) {
    do throws(MIMETypeError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }
}

extension TypeQuery {
  /// Parses a query that the call is going to store.
  ///
  /// - Throws: InvalidArgs if the text is invalid.
  init(argument name: String, _ text: String) throws(DBusError) {
    do throws(MIMETypeError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }

  /// Parses a query of a call that only reads.
  ///
  /// The query may name a type that is invalid today, because rows stored by earlier versions can
  /// have such types.
  ///
  /// - Throws: InvalidArgs if the text is invalid.
  init(asking name: String, _ text: String) throws(DBusError) {
    do throws(MIMETypeError) { try self.init(stored: text) } catch {
      throw DBusError(.invalidArgs, error.message(naming: name))
    }
  }
}

extension Visibility {
  /// Parses a visibility in a call.
  ///
  /// - Throws: InvalidArgs if the text is invalid.
  init(argument text: String) throws(DBusError) {
    do throws(VisibilityError) { try self.init(parsing: text) } catch {
      throw DBusError(.invalidArgs, "\(error)")
    }
  }
}

extension MIMETypeError {
  /// Returns the message, with `argument` instead of the model's name of the argument, `type`.
  fileprivate func message(naming argument: String) -> String {
    let message = "\(self)"
    return argument == "type" || !message.hasPrefix("type:")
      ? message : argument + message.dropFirst(4)
  }
}
