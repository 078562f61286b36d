import DBus
import DragModel
import Files

/// The properties of a connection's process that the bus reports.
///
/// Source: the D-Bus specification, `org.freedesktop.DBus.GetConnectionCredentials`.
struct Credentials: Sendable {
  /// The value of `ProcessID`: the process's number, which a later process can have; nil if the bus
  /// does not know it.
  let processID: Int32?
  /// The value of `ProcessFD`: a pidfd; nil on an older bus, or if the process exited too early.
  let process: FileDescriptor?
  /// The value of `LinuxSecurityLabel`.
  let label: SecurityLabel?
  /// Whether the bus reports any key of its interface for containers.
  let isInContainer: Bool

  /// Reads the answer of the bus, and ignores values of unexpected types.
  init(_ values: [String: Variant]) {
    if case .uint32(let number)? = values["ProcessID"]?.value, number > 0 {
      processID = Int32(exactly: number)
    } else {
      processID = nil
    }
    if case .fileDescriptor(let descriptor)? = values["ProcessFD"]?.value {
      process = descriptor
    } else {
      process = nil
    }
    label = Self.bytes(values["LinuxSecurityLabel"]).map { SecurityLabel($0) }
    isInContainer = values.keys.contains { $0.hasPrefix("org.freedesktop.DBus.Containers") }
  }

  private static func bytes(_ variant: Variant?) -> [UInt8]? {
    guard case .array(_, let elements)? = variant?.value else { return nil }
    return elements.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
  }
}
