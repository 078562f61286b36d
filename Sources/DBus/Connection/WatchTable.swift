import CDBus

/// The watches of libdbus, by descriptor.
///
/// libdbus has separate watches for reading and writing.
final class WatchTable {
  private let loop: EventLoop
  private var watches: [Int32: [OpaquePointer]] = [:]

  init(_ loop: EventLoop) { self.loop = loop }

  func add(_ watch: OpaquePointer) {
    let descriptor = dbus_watch_get_unix_fd(watch)
    watches[descriptor, default: []].append(watch)
    update(descriptor)
  }

  func remove(_ watch: OpaquePointer) {
    let descriptor = dbus_watch_get_unix_fd(watch)
    watches[descriptor]?.removeAll { $0 == watch }
    update(descriptor)
  }

  func update(_ descriptor: Int32) {
    let interest = (watches[descriptor] ?? []).reduce(into: Interest()) { interest, watch in
      if dbus_watch_get_enabled(watch) != 0 { interest.formUnion(Self.interest(of: watch)) }
    }
    guard !interest.isEmpty else {
      loop.unwatch(descriptor)
      return
    }
    // epoll refuses a descriptor only if the kernel has no memory. In this case nothing can be
    // served anyway.
    try? loop.watch(descriptor, for: interest) { [unowned self] ready in
      handle(descriptor, ready)
    }
  }

  /// Passes `ready` to every watch that still exists.
  ///
  /// Handling a watch can end the connection, which frees the other watches.
  private func handle(_ descriptor: Int32, _ ready: Interest) {
    for watch in watches[descriptor] ?? [] {
      guard watches[descriptor]?.contains(watch) == true, dbus_watch_get_enabled(watch) != 0 else {
        continue
      }
      let due = ready.intersection(Self.interest(of: watch).union(.hungUp))
      guard !due.isEmpty else { continue }
      var flags: UInt32 = 0
      if due.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
      if due.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
      if due.contains(.hungUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
      dbus_watch_handle(watch, flags)
    }
  }

  private static func interest(of watch: OpaquePointer) -> Interest {
    let flags = dbus_watch_get_flags(watch)
    var interest = Interest()
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
    return interest
  }
}

extension WatchTable {
  /// Registers the table with libdbus; the table outlives the connection.
  func attach(to connection: OpaquePointer) {
    let data = Unmanaged.passUnretained(self).toOpaque()
    dbus_connection_set_watch_functions(
      connection,
      { watch, data in
        WatchTable.at(data).zip(watch) { $0.add($1) }
        return 1
      },
      { watch, data in WatchTable.at(data).zip(watch) { $0.remove($1) } },
      { watch, data in
        WatchTable.at(data).zip(watch) { $0.update(dbus_watch_get_unix_fd($1)) }
      }, data, nil)
  }

  /// Removes the table from libdbus, and the descriptors from the loop.
  func detach(from connection: OpaquePointer) {
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    for descriptor in watches.keys { loop.unwatch(descriptor) }
    watches = [:]
  }

  private static func at(_ data: UnsafeMutableRawPointer?) -> WatchTable? {
    data.map { Unmanaged<WatchTable>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension Optional {
  fileprivate func zip<Other>(_ other: Other?, _ body: (Wrapped, Other) -> Void) {
    if let self, let other { body(self, other) }
  }
}
