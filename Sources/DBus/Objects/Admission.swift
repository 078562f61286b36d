/// What becomes of a call that has come.
public enum Admission {
  /// It is answered now; `peer` is what is known of the caller.
  case admitted(by: AnyObject?)
  /// It is kept, and comes again by `Connection.handle`.
  case putOff
}
