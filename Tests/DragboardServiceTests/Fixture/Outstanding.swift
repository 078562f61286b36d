import DBus
import DragboardInterface
import TestSupport

/// Calls that were sent, and the answers that have come so far.
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

  /// How many calls have been answered.
  var answered: Int { answers.count { $0 != nil } }

  /// Waits for all answers and gives them in the order of the calls.
  func all() -> [Result<Message, DBusError>] {
    client.connection.loop.wait { answered == answers.count }
    return answers.compactMap { $0 }
  }

  /// Waits for all answers and gives, in the order of the calls, the name of each error, without
  /// its prefix; "" for a reply.
  func errors() -> [String] {
    all().map { answer in
      guard case .failure(let error) = answer else { return "" }
      return error.name.text.split(separator: ".").last.map(String.init) ?? ""
    }
  }
}

extension BusClient {
  /// Sends calls, and waits until they are where they are to be read.
  func send(_ calls: [OutgoingMessage]) -> Outstanding {
    let outstanding = Outstanding(calls, of: self)
    waitForBus()
    return outstanding
  }

  /// Waits until the bus has passed on everything that it got so far.
  ///
  /// It writes out what one round of its loop has brought before the next round ends; two questions
  /// take two rounds.
  func waitForBus() {
    for _ in 0..<2 {
      _ = try? wait(for: .call("GetId", of: BusInterface.name, at: BusInterface.path, to: .bus))
    }
  }
}

/// A call, ready to be sent.
func call<each I: BusValue, each O: BusValue>(
  _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
  at path: ObjectPath = BusClient.board, _ arguments: repeat each I
) -> OutgoingMessage {
  let call = OutgoingMessage.call(
    method.description.name, of: method.interface, at: path, to: Dragboard.busName)
  call.append(repeat each arguments)
  return call
}

/// A call that sets a property.
func setting<Value: BusValue>(
  _ property: PropertyDeclaration<Value>, to value: Variant, at path: ObjectPath = BusClient.board
) -> OutgoingMessage {
  let call = OutgoingMessage.call(
    "Set", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
  call.append(property.interface.text, property.description.name.text, value)
  return call
}

/// A call that reads a property.
func getting<Value: BusValue>(
  _ property: PropertyDeclaration<Value>, at path: ObjectPath = BusClient.board
) -> OutgoingMessage {
  let call = OutgoingMessage.call(
    "Get", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
  call.append(property.interface.text, property.description.name.text)
  return call
}
