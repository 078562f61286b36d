import DBus
import DragboardInterface
import Foundation
import TestSupport

/// A stub of the clipboard bridge that records calls and needs no display.
///
/// It leaves the bus when the last reference to it is released.
final class ClipboardStub {
  private let loop: EventLoop
  private let bridge = Bridge()

  init(on bus: PrivateBus) throws {
    let loop = try EventLoop()
    self.loop = loop
    Thread.detachNewThread { loop.run() }
    let answer = DispatchSemaphore(value: 0)
    loop.perform { [bridge] in
      bridge.serve(at: bus.address, on: loop)
      answer.signal()
    }
    answer.wait()
  }

  deinit {
    loop.perform { [bridge] in bridge.leave() }
    loop.stop()
  }

  /// The recorded calls, such as "Pause 300".
  var calls: [String] { bridge.calls }

  /// The object on the bus.
  ///
  /// `@unchecked` is safe, because only its loop's thread uses it, except for the list of calls.
  private final class Bridge: @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [String] = []
    private var isPaused = false
    private var pausesWhileLocked = false
    private var storesSelections = false
    private var applications = ["keepassxc"]
    private var windows: [String] = []
    private var types: [String] = []
    private var permission = "missing"
    private var server: ObjectServer?

    var calls: [String] { lock.withLock { recorded } }

    func serve(at address: String, on loop: EventLoop) {
      do {
        let bus = try Connection(to: address, on: loop)
        let server = ObjectServer(bus)
        server.export(ClipboardInterface.path, [ObjectInterface(Self.table(), of: self)])
        self.server = server
        _ = try bus.names.request(ClipboardInterface.busName)
      } catch { record("\(error)") }
    }

    func leave() {
      server?.connection.close()
      server = nil
    }

    private func record(_ call: String) { lock.withLock { recorded.append(call) } }

    private static func table() -> InterfaceTable<Bridge, Call> {
      typealias Clipboard = ClipboardInterface
      var table = InterfaceTable<Bridge, Call>(Clipboard.name)
      table.method(Clipboard.copy) { bridge, _, board, item in
        bridge.record("Copy \(board.text) \(item)")
      }
      table.method(Clipboard.allowPasting) { bridge, _ in
        bridge.permission = "granted"
        bridge.record("AllowPasting")
      }
      table.method(Clipboard.forbidPasting) { bridge, _ in
        bridge.permission = "missing"
        bridge.record("ForbidPasting")
      }
      table.method(Clipboard.pause) { bridge, _, seconds in
        bridge.isPaused = true
        bridge.record("Pause \(seconds)")
      }
      table.method(Clipboard.resume) { bridge, _ in
        bridge.isPaused = false
        bridge.record("Resume")
      }
      table.method(Clipboard.clear) { bridge, _, pinned in
        bridge.record(pinned ? "Clear pinned" : "Clear")
      }
      table.property(Clipboard.backend) { _ in "x11" }
      table.property(Clipboard.paused) { $0.isPaused }
      table.property(
        Clipboard.pausesWhileLocked, get: { $0.pausesWhileLocked },
        set: { bridge, _, flag in bridge.pausesWhileLocked = flag })
      table.property(
        Clipboard.storesSelections, get: { $0.storesSelections },
        set: { bridge, _, flag in bridge.storesSelections = flag })
      table.property(
        Clipboard.excludedApplications, get: { $0.applications },
        set: { bridge, _, patterns in bridge.applications = patterns })
      table.property(
        Clipboard.excludedWindows, get: { $0.windows },
        set: { bridge, _, patterns in bridge.windows = patterns })
      table.property(Clipboard.applicationReports) { _ in "x11" }
      table.property(Clipboard.recentApplications) { _ in ["gedit", "firefox"] }
      table.property(Clipboard.pasteMeans) { _ in "portal" }
      table.property(Clipboard.pastePermission) { $0.permission }
      table.property(
        Clipboard.excludedTypes, get: { $0.types },
        set: { bridge, _, patterns in bridge.types = patterns })
      return table
    }
  }
}
