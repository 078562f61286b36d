import DBus
import DragModel
import Files

/// The properties of a connection's process, as the bus reports them.
///
/// Source: the D-Bus specification, `org.freedesktop.DBus.GetConnectionCredentials`.
struct Credentials: Sendable {
  /// `ProcessID`: the process's number, which a later process can reuse; nil if the bus does not
  /// know it.
  let processID: Int32?
  /// `ProcessFD`: a pidfd; nil from an older bus, and for a process that exited too early.
  let process: FileDescriptor?
  /// `LinuxSecurityLabel`.
  let label: SecurityLabel?
  /// Whether there is a key of the interface for containers, with any value.
  let isInContainer: Bool

  /// Reads the bus's answer; ignores values of unexpected types.
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
