import ClipboardModel

/// The means by which a display reports the windows that can have made a copy.
///
/// X11 has none, because it reports the program itself.
@ClipboardActor protocol FocusSource: AnyObject {
  /// The name of the means; nil if it reports nothing at present.
  var name: String? { get }

  /// The applications that have had the focus lately, as far as they were reported.
  var recentApplications: RecentApplications { get }

  /// Passes the windows that had the focus at the latest change of the clipboard, or shortly
  /// before, to `completion`.
  ///
  /// Must be called while the change is handled. The windows are none if the display does not
  /// report them at present, and an error if it should have reported them. `completion` is called
  /// exactly once, possibly before the function returns.
  func windowsOfCopy(_ completion: @escaping (Result<[FocusedWindow], ReadError>) -> Void)

  /// Calls `completion` when the display has reported the present focus; with false if it does not report it.
  func settle(_ completion: @escaping (Bool) -> Void)
}

extension FocusSource {
  /// Most displays report the focus on the connection of the bridge, in their own order.
  func settle(_ completion: @escaping (Bool) -> Void) { completion(true) }
}
