import DBus
import DragModel

final class Client {
  let access: BoardAccess

  init(_ access: BoardAccess) { self.access = access }
}

extension Call {
  /// The caller.
  ///
  /// An unidentified caller has only the rights that every connection has.
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
  /// All unidentified connections together have the quotas of one sandbox, `""`. Otherwise a
  /// sandboxed process that prevents its identification would have separate quotas for each
  /// connection.
  var sandboxOfQuotas: String? {
    switch caller.confinement {
    case .unsandboxed: nil
    case .sandboxed(let id): id.text
    case .unverified: ""
    }
  }

  /// The holder that the resources of this caller's calls are charged to.
  var holder: Quota.Holder {
    Quota.Holder(connection: caller.uniqueName, sandbox: sandboxOfQuotas)
  }

  /// Refuses a sandboxed caller.
  ///
  /// Call it for operations that affect more than the caller's own rows.
  func checkGoverns() throws(DBusError) {
    guard governs else {
      throw DBusError(
        .accessDenied,
        "caller: the client is sandboxed (it may only insert rows, and change, move and delete its own rows)"
      )
    }
  }
}
