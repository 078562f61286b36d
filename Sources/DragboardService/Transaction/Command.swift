import DBus
import DragModel
import DragboardInterface

/// A call of a client, for the functions that perform it.
struct Command {
  let step: Step
  private let client: Client

  /// Creates the command of a call.
  ///
  /// The command does not retain the message, because libdbus stops reading while large messages
  /// are retained.
  init(_ call: Call, in step: Step) { self.init(step, call.client) }

  private init(_ step: Step, _ client: Client) { (self.step, self.client) = (step, client) }

  /// Returns the command for a later step that continues the call.
  func resumed(in step: Step) -> Command { Command(step, client) }

  var sender: String { access.caller.uniqueName }

  /// The rights of the caller.
  ///
  /// A caller that was not inspected has the fewest rights.
  var access: BoardAccess { client.access }

  var caller: Caller { access.caller }

  /// Returns the application that the client acts for in a drag, a drop or a view.
  ///
  /// - Throws: InvalidArgs if `argument` is not an application id; AccessDenied if it is the unique
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
