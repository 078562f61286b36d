import CXcb

/// A read of one target of the clipboard's owner, as a whole or in increments.
@ClipboardActor final class XReading {
  private let display: XClipboard
  private let window: xcb_window_t
  private let buffer: CopyBuffer
  private let completion: (Result<Void, ReadError>) -> Void
  private var isIncremental = false

  /// Requests a target.
  ///
  /// - Parameters:
  ///   - target: the target.
  ///   - selection: the selection; by default, the clipboard.
  ///   - window: the window whose property gets the bytes.
  ///   - time: the time of the event that reported the owner.
  ///   - buffer: the buffer for the bytes.
  ///   - display: the display.
  ///   - completion: called once, unless the read is cancelled.
  init(
    _ target: xcb_atom_t, of selection: xcb_atom_t? = nil, for window: xcb_window_t,
    at time: xcb_timestamp_t,
    into buffer: CopyBuffer,
    on display: XClipboard, whenDone completion: @escaping (Result<Void, ReadError>) -> Void
  ) {
    (self.display, self.buffer, self.completion) = (display, buffer, completion)
    self.window = window
    let atoms = display.atoms
    xcb_convert_selection(
      display.raw, window, selection ?? atoms.clipboard, target, atoms.data, time)
  }

  /// Handles the owner's answer.
  func notify(_ event: xcb_selection_notify_event_t) {
    guard event.requestor == window else { return }
    let atoms = display.atoms
    guard event.property == atoms.data, let property = display.property(atoms.data, of: window)
    else { return completion(.failure(.refused)) }
    if property.type == atoms.increments {
      isIncremental = true
      // The deletion of the property requests the first increment.
      display.delete(atoms.data, of: window)
    } else if let result = take() {
      completion(result.map { _ in })
    }
  }

  /// Handles a new increment.
  ///
  /// An empty increment is the end.
  func propertyChanged(_ event: xcb_property_notify_event_t) {
    guard isIncremental, event.window == window, event.atom == display.atoms.data,
      let result = take()
    else { return }
    switch result {
    case .success(0): completion(.success(()))
    case .success: break
    case .failure(let error): completion(.failure(error))
    }
  }

  /// Reads the bytes of the property, and deletes the property; nil if it does not exist.
  private func take() -> Result<Int, ReadError>? {
    do throws(ReadError) {
      let count = try display.take(display.atoms.data, of: window) { bytes throws(ReadError) in
        try buffer.append(bytes)
      }
      return count.map { .success($0) }
    } catch { return .failure(error) }
  }
}
