import DBus
import DragModel
import DragboardInterface

/// A call of a client, as the functions that perform it get it.
struct Command {
  /// The step of the call.
  let step: Step
  private let call: Call

  init(_ call: Call, in step: Step) { (self.call, self.step) = (call, step) }

  /// Returns the call for a later step, which continues it.
  func resumed(in step: Step) -> Command { Command(call, in: step) }

  /// The unique name of the caller's connection.
  var sender: String { call.sender }

  /// The permissions of the caller; minimal before the caller has been identified.
  var access: BoardAccess { call.access }

  /// The caller's connection.
  var caller: Caller { access.caller }

  /// The application as which a client drags, drops or views.
  ///
  /// - Throws: InvalidArgs if `argument` is not an application id, AccessDenied if it is the unique
  ///   name of another connection.
  func application(_ argument: String) throws(DBusError) -> Application {
    do throws(ApplicationError) {
      return try Application.parse(argument, caller: caller)
    } catch {
      switch error {
      case .malformed: throw DBusError(.invalidArgs, "\(error)")
      case .notYours: throw DBusError(.accessDenied, "\(error)")
      }
    }
  }
}
