import Files
import Glibc

extension Environment {
  /// Whether the bus started the process by activation, or systemd started it as a service.
  ///
  /// Such a process can exit, because the next call starts it again.
  ///
  /// Source: the D-Bus specification, "Message Bus Starting Services"; systemd.exec(5),
  /// `$SYSTEMD_EXEC_PID`.
  var isOfService: Bool {
    self["DBUS_STARTER_ADDRESS"] != nil || self["SYSTEMD_EXEC_PID"] == "\(getpid())"
  }
}
