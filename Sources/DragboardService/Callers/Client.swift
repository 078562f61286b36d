import DBus
import DragModel

final class Client {
  let access: BoardAccess

  init(_ access: BoardAccess) { self.access = access }
}

extension Call {
  /// The caller; an unidentified one may do no more than any connection.
  var client: Client {
    if let client = peer as? Client { return client }
    return Client(
      BoardAccess(
        of: Caller(uniqueName: sender, confinement: .unverified), opensContents: false))
  }
}

extension BoardAccess {
  /// The sandbox whose connections share quotas; nil without a sandbox.
  ///
  /// All unidentified connections share those of one sandbox: a sandboxed process can prevent its
  /// identification, and would get a share with each connection.
  var sandboxOfQuotas: String? {
    switch caller.confinement {
    case .unsandboxed: nil
    case .sandboxed(let id): id.text
    case .unverified: ""
    }
  }

  /// The holder to which the resources of this caller's calls are charged.
  var holder: Quota.Holder {
    Quota.Holder(connection: caller.uniqueName, sandbox: sandboxOfQuotas)
  }

  /// Refuses a sandboxed caller, if an operation affects more than its own rows.
  func checkGoverns() throws(DBusError) {
    guard governs else {
      throw DBusError(
        .accessDenied,
        "a sandboxed client inserts rows, and changes, moves and deletes those that it brought; the rest is not its own"
      )
    }
  }
}
