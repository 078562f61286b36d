import DBus
import DragModel

/// The number of bytes of active sessions, in total and for each sandbox, with the limits.
final class SessionBytes {
  /// The bytes of sessions, and the part of them that is in memory, with the memory of their items.
  struct Amount {
    var bytes = 0
    var memory = 0

    static func - (a: Amount, b: Amount) -> Amount {
      Amount(bytes: a.bytes - b.bytes, memory: a.memory - b.memory)
    }

    static func + (a: Amount, b: Amount) -> Amount {
      Amount(bytes: a.bytes + b.bytes, memory: a.memory + b.memory)
    }
  }

  /// The maximum memory of all sessions of a sandbox, in bytes.
  static let maxSandboxMemory = 64 << 20

  private let max: Int
  private var total = 0
  private var sandboxes: [String: Amount] = [:]

  init(max: Int) { self.max = max }

  /// Counts what a session has added.
  ///
  /// A negative number means removed bytes.
  func count(_ difference: Amount, of sandbox: String?) {
    total += difference.bytes
    guard let sandbox, difference.bytes != 0 || difference.memory != 0 else { return }
    let own = sandboxes[sandbox, default: Amount()] + difference
    sandboxes[sandbox] = own.bytes > 0 || own.memory > 0 ? own : nil
  }

  /// Returns whether more bytes are within the limits.
  func hasRoom(for amount: Amount, of sandbox: String?) -> Bool {
    (try? checkRoom(for: amount, of: sandbox)) != nil
  }

  /// Refuses bytes that would exceed a limit.
  ///
  /// - Throws: LimitsExceeded if the total or the sandbox's share would be too large.
  func checkRoom(for amount: Amount, of sandbox: String?) throws(DBusError) {
    if amount.bytes > 0, total + amount.bytes > max { throw .limit("sessions: max-bytes", max) }
    guard let sandbox else { return }
    let (own, share) = (sandboxes[sandbox, default: Amount()] + amount, Quota.share(of: max))
    if amount.bytes > 0, own.bytes > share {
      throw .limit("sessions: a sandbox's share of max-bytes", share)
    }
    if amount.memory > 0, own.memory > Self.maxSandboxMemory {
      throw .limit("items: the memory of a sandbox's sessions in bytes", Self.maxSandboxMemory)
    }
  }
}

extension DragSession {
  /// The bytes and the memory of the session.
  var amount: SessionBytes.Amount {
    SessionBytes.Amount(bytes: byteCount, memory: memoryByteCount)
  }
}

extension ItemProvider {
  /// The bytes and the memory of the item.
  var amount: SessionBytes.Amount {
    SessionBytes.Amount(bytes: byteCount, memory: memoryByteCount)
  }
}

extension Representation {
  /// The bytes and the memory of the representation.
  var amount: SessionBytes.Amount {
    SessionBytes.Amount(bytes: content.byteCount, memory: memoryByteCount)
  }
}
