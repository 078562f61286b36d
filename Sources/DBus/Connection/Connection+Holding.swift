extension Connection {
  /// Holds back, in order, what is sent from now on, until `releaseHeld` or `refuseHeld`.
  ///
  /// What the event in hand sends, a call's reply included, is provisional: it may turn out not to be so.
  public func hold() { held.hold() }

  /// Whether what is sent now may turn out not to be so.
  public var isProvisional: Bool { held.isProvisional }

  /// Begins an event of its own: what is sent from here on is provisional only where `hold` is called again.
  ///
  /// Every message that comes is one; whoever lets one message do several independent things begins one for each.
  public func beginEvent() {
    onMessageEnd?()
    held.beginEvent()
  }

  /// Sends what was held, at once.
  public func releaseHeld() {
    let messages = held.take()
    guard isConnected else { return }
    for entry in messages { queue.append(entry.message) }
    queue.flush()
  }

  /// Sends what was held; of what is provisional, `error` in place of a reply and nothing in place of a signal or a call.
  ///
  /// - Parameters:
  ///   - error: for whoever waits for a provisional reply.
  ///   - takeBack: undoes what was provisional; what it sends goes nowhere, as what it undoes has gone nowhere.
  public func refuseHeld(with error: DBusError, takingBack takeBack: () -> Void = {}) {
    let refused = held.take()
    held.swallow {
      takeBack()
      onMessageEnd?()
    }
    guard isConnected else { return }
    for entry in refused {
      let header = entry.message.header
      if !entry.isProvisional {
        queue.append(entry.message)
      } else if header.replySerial != 0 {
        refuse(header.replySerial, from: header.destination, with: error)
      }
    }
    flushUnlessDraining()
  }
}
