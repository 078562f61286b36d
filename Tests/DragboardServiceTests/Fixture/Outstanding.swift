import DBus
import DragboardInterface
import TestSupport

/// Sent calls, and the answers that have arrived so far.
final class Outstanding {
  private(set) var answers: [Result<Message, DBusError>?]
  private let client: BusClient

  fileprivate init(_ calls: [OutgoingMessage], of client: BusClient) {
    self.client = client
    answers = [Result<Message, DBusError>?](repeating: nil, count: calls.count)
    for (index, call) in calls.enumerated() {
      client.connection.send(call) { [self] in answers[index] = $0 }
    }
  }

  /// The number of answered calls.
  var answered: Int { answers.count { $0 != nil } }

  /// Waits for all answers, and returns them in the order of the calls.
  func all() -> [Result<Message, DBusError>] {
    client.connection.loop.wait { answered == answers.count }
    return answers.compactMap { $0 }
  }

  /// Waits for all answers, and returns the name of each error without its prefix, or "" for a
  /// reply, in the order of the calls.
  func errors() -> [String] {
    all().map { answer in
      guard case .failure(let error) = answer else { return "" }
      return error.name.text.split(separator: ".").last.map(String.init) ?? ""
    }
  }
}

extension BusClient {
  /// Sends calls, and waits until the bus has forwarded them.
  func send(_ calls: [OutgoingMessage]) -> Outstanding {
    let outstanding = Outstanding(calls, of: self)
    waitForBus()
    return outstanding
  }

  /// Waits until the bus has forwarded everything that it has received so far.
  ///
  /// The bus writes the messages of one iteration of its loop before the end of the next iteration.
  /// Two calls take two iterations.
  func waitForBus() {
    for _ in 0..<2 {
      _ = try? wait(for: .call("GetId", of: BusInterface.name, at: BusInterface.path, to: .bus))
    }
  }
}

/// Returns a call that can be sent.
func call<each I: BusValue, each O: BusValue>(
  _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
  at path: ObjectPath = BusClient.board, _ arguments: repeat each I
) -> OutgoingMessage {
  let call = OutgoingMessage.call(
    method.description.name, of: method.interface, at: path, to: Dragboard.busName)
  call.append(repeat each arguments)
  return call
}

/// Returns a call that sets a property.
func setting<Value: BusValue>(
  _ property: PropertyDeclaration<Value>, to value: Variant, at path: ObjectPath = BusClient.board
) -> OutgoingMessage {
  let call = OutgoingMessage.call(
    "Set", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
  call.append(property.interface.text, property.description.name.text, value)
  return call
}

/// Returns a call that reads a property.
func getting<Value: BusValue>(
  _ property: PropertyDeclaration<Value>, at path: ObjectPath = BusClient.board
) -> OutgoingMessage {
  let call = OutgoingMessage.call(
    "Get", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
  call.append(property.interface.text, property.description.name.text)
  return call
}
