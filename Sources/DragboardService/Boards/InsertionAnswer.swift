import DBus

/// The reply to an insertion, with the id of one row or the ids of several rows.
struct InsertionAnswer {
  private enum Ids {
    case one(Reply<String>)
    case several(Reply<[String]>)
  }

  private let reply: Ids
  /// Called once, before the reply.
  var onEnd: () -> Void = {}

  static func one(_ reply: Reply<String>) -> InsertionAnswer { InsertionAnswer(reply: .one(reply)) }
  static func several(_ reply: Reply<[String]>) -> InsertionAnswer {
    InsertionAnswer(reply: .several(reply))
  }

  func send(_ ids: [String]) {
    onEnd()
    switch reply {
    case .one(let reply): reply.send(ids[0])
    case .several(let reply): reply.send(ids)
    }
  }

  func refuse(_ error: DBusError) {
    onEnd()
    switch reply {
    case .one(let reply): reply.refuse(error)
    case .several(let reply): reply.refuse(error)
    }
  }
}
