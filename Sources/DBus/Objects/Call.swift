/// A call that is being answered: who asks for what, and the message itself.
public struct Call {
  /// The message as it came.
  public let message: Message
  /// The object that is called.
  public let path: String
  /// The method that is called.
  public let member: String
  /// The unique name of the caller's connection.
  public var sender: String { message.sender ?? "" }
  /// The caller; nil if the server has no admission.
  let client: ClientQueue?
  /// Who answers.
  let server: ObjectServer
  /// What the server knows of the caller.
  public var peer: AnyObject? { client?.identity?.value }

  /// A method call; libdbus lets none pass that lacks a path or a member.
  init(_ message: Message, by client: ClientQueue?, to server: ObjectServer) {
    self.message = message
    self.client = client
    self.server = server
    path = message.path ?? ""
    member = message.member ?? ""
  }

  /// Whom the answer is for; nil where nobody waits for it.
  var question: Question? { Question(message, from: client) }

  /// Counts the elements of an array argument, without decoding any.
  ///
  /// Elements of nested arrays count, too.
  ///
  /// - Parameters:
  ///   - index: the index of the argument.
  ///   - limit: the count at which to stop.
  /// - Returns: the number of elements; more than `limit` if there are more.
  /// - Complexity: O(`limit`).
  public func elementCount(ofArgument index: Int, upTo limit: Int) -> Int {
    message.elementCount(ofArgument: index, upTo: limit)
  }

  /// Answers with arguments of those types, which `content` writes.
  @usableFromInline
  func answer(_ types: Signature, _ content: (inout MessageWriter) -> Void) {
    server.answer(question, types, content)
  }
}
