import DBus
import DragModel
import DragboardInterface

/// A call of a client, as the functions that perform it get it.
struct Command {
  let step: Step
  private let client: Client

  /// Creates the command of a call.
  ///
  /// It does not keep the message: libdbus reads no more while large messages are kept.
  init(_ call: Call, in step: Step) { self.init(step, call.client) }

  private init(_ step: Step, _ client: Client) { (self.step, self.client) = (step, client) }

  /// The call as a later step continues it.
  func resumed(in step: Step) -> Command { Command(step, client) }

  var sender: String { access.caller.uniqueName }

  /// The rights of the caller; the least if nobody has inspected it.
  var access: BoardAccess { client.access }

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
