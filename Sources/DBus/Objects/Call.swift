/// A call that is being answered.
public struct Call {
  /// The received message.
  public let message: Message
  /// The path of the called object.
  public let path: String
  /// The name of the called method.
  public let member: String
  /// The unique name of the caller's connection.
  public var sender: String { message.sender ?? "" }
  /// The caller; nil if the server has no admission.
  let client: ClientQueue?
  let server: ObjectServer
  /// The server's own description of the caller; nil if there is none.
  public var peer: AnyObject? { client?.identity?.value }

  /// Creates a call from a message.
  ///
  /// The message has a path and a member, because libdbus rejects calls without them.
  init(_ message: Message, by client: ClientQueue?, to server: ObjectServer) {
    self.message = message
    self.client = client
    self.server = server
    path = message.path ?? ""
    member = message.member ?? ""
  }

  /// The address of the reply; nil if the caller expects none.
  var replyAddress: ReplyAddress? { ReplyAddress(message, from: client) }

  /// Counts the elements of an array argument, without decoding any.
  ///
  /// Elements of nested arrays count, too.
  ///
  /// - Parameters:
  ///   - index: the index of the argument.
  ///   - limit: the count at which to stop.
  ///   - countsNumbers: whether each number in a nested array counts. If not, a nested array of
  ///     numbers counts as one element.
  /// - Returns: the number of elements; more than `limit` if there are more.
  /// - Complexity: O(`limit`).
  public func elementCount(
    ofArgument index: Int, upTo limit: Int, countsNumbers: Bool = false
  ) -> Int {
    message.elementCount(ofArgument: index, upTo: limit, countsNumbers: countsNumbers)
  }

  /// Sends a reply with arguments of these types, which `content` writes.
  @usableFromInline
  func answer(_ types: Signature, _ content: (inout MessageWriter) -> Void) {
    server.answer(replyAddress, types, content)
  }
}
