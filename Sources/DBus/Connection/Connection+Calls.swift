extension Connection {
  /// Calls a method and waits for its answer without blocking the loop.
  ///
  /// Must be called on the loop, from an actor that runs there. Cancelling the task cancels the
  /// call.
  ///
  /// - Throws: the receiver's error if it refuses the call; `noReply` if no answer arrives within
  ///   `timeout`; `cancelled` if the task is cancelled; `disconnected` if the connection is lost;
  ///   `invalidArgs` if the answer does not have the declared types.
  public func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath, of destination: BusName, timeout: Duration? = .seconds(25),
    _ arguments: repeat each I
  ) async throws(DBusError) -> (repeat each O) {
    let call = OutgoingMessage.call(method, at: path, to: destination, repeat each arguments)
    let reply = try await answer(to: call, timeout: timeout)
    return try reply.arguments(as: repeat (each O).self)
  }

  /// Calls a method, and passes the answer to `reply` on the loop's thread.
  @discardableResult
  public func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath, of destination: BusName, timeout: Duration? = .seconds(25),
    _ arguments: repeat each I,
    reply: @escaping (Result<(repeat each O), DBusError>) -> Void
  ) -> PendingCall {
    let call = OutgoingMessage.call(method, at: path, to: destination, repeat each arguments)
    return send(call, timeout: timeout) { result in
      reply(
        result.flatMap { message in
          Result { () throws(DBusError) in try message.arguments(as: repeat (each O).self) }
        })
    }
  }

  /// Reads a property.
  ///
  /// - Throws: the errors of `call`.
  public func get<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, at path: ObjectPath, of destination: BusName
  ) async throws(DBusError) -> Value {
    let call = OutgoingMessage.call("Get", of: PropertiesInterface.name, at: path, to: destination)
    call.append(property.interface.text, property.description.name.text)
    return try await answer(to: call, timeout: .seconds(25)).content(as: Value.self)
  }

  /// Sets a property.
  ///
  /// - Throws: the errors of `call`.
  public func set<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, to value: Value, at path: ObjectPath,
    of destination: BusName
  ) async throws(DBusError) {
    let call = OutgoingMessage.call("Set", of: PropertiesInterface.name, at: path, to: destination)
    call.append(
      property.interface.text, property.description.name.text, VariantOf(value))
    _ = try await answer(to: call, timeout: .seconds(25))
  }

  /// Sends a call and waits for its answer.
  ///
  /// The closure must run on the caller's actor, and so on the loop. This requires that it captures
  /// the actor, so the actor is a parameter. Without it, the closure would run on the default pool.
  private func answer(
    to call: OutgoingMessage, timeout: Duration?, isolation: isolated (any Actor)? = #isolation
  ) async throws(DBusError) -> Message {
    let cancellation = Cancellation()
    let result: Result<Message, DBusError> = await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { continuation in
        guard !Task.isCancelled else {
          return continuation.resume(returning: .failure(.cancelled))
        }
        let sent = send(call, timeout: timeout) { continuation.resume(returning: $0) }
        cancellation.action = { [weak self] in
          self?.pending.remove(sent.serial)?(.failure(.cancelled))
        }
      }
    } onCancel: {
      loop.perform { cancellation.action?() }
    }
    return try result.get()
  }
}

/// An action that cancels a sent call.
///
/// Unchecked, because it is set and called only on the loop's thread.
private final class Cancellation: @unchecked Sendable {
  var action: (() -> Void)?
}

extension DBusError {
  fileprivate static let cancelled = DBusError(.cancelled, "the call was cancelled")
}
