import Files
import FoundationEssentials
import Glibc
import LinkDrags
import LinkEngine
import LinkModel

/// An edit without an effect, for the user.
struct DropReport: Codable, Equatable {
  /// The time at which this machine read it in the log, in the format of RFC 3339.
  let time: String
  /// The kind of the edit.
  let edit: String
  /// The title of the row or the section; "" if it is unknown.
  let title: String
  /// The reason.
  let reason: String

  init(_ dropped: DroppedEdit) {
    time = Self.text(ofTime: dropped.received)
    edit = dropped.edit.kind
    title = dropped.title
    reason = "\(dropped.reason)"
  }
}

extension DropReport {
  /// Returns a time in the format of RFC 3339; `time` is in microseconds since 1970, UTC.
  static func text(ofTime time: UInt64) -> String {
    Date(timeIntervalSince1970: Double(time) / 1_000_000).formatted(.iso8601)
  }
}

extension SharedEdit {
  fileprivate var kind: String {
    switch self {
    case .insert: "insert"
    case .move: "move"
    case .delete: "delete"
    case .setFlags: "set flags"
    case .setName: "rename"
    case .setStack: "stack"
    case .setContents: "set contents"
    case .insertSection: "insert section"
    case .renameSection: "rename section"
    case .moveSection: "move section"
    case .deleteSection: "delete section"
    }
  }
}

/// The report of the service, which `status` reads from a file.
struct ServiceReport: Codable, Equatable {
  /// The state of a shared board on this machine.
  struct Board: Codable, Equatable {
    /// The number of the last entry that was read.
    var entry: UInt64
    /// The number of edits that are not on the server.
    var pending: Int
    /// The time since which edits wait, in the format of RFC 3339; nil if none waits.
    var pendingSince: String?
    /// The number of edits without an effect, because another machine had deleted the rows.
    var dropped: UInt64
    /// The last of these edits, at most `Replica.maxDropped`.
    var droppedEdits: [DropReport]
    /// The errors of the last exchange; nil if it succeeded.
    var error: String?
    /// Whether this machine has a board with this name that is not shared yet.
    var isWaiting = false
    /// The number of new keys that the replica needed because it was restored or copied.
    var renewals: UInt64 = 0
    /// The time at which the daemon's board was last an earlier copy, in the format of RFC 3339; nil
    /// if it never was.
    var replaced: String?
    /// The time at which the board was last computed again from the log, because it differed from that
    /// of another machine; nil if it never was.
    var rebuilt: String?
    /// The number of rows whose contents are not on the server yet.
    var arriving = 0
    /// The number of contents that this machine has to store on the server.
    var contents = 0

    /// The state of a board that is not shared yet.
    static let waiting = Board(
      entry: 0, pending: 0, dropped: 0, droppedEdits: [], isWaiting: true)
  }

  /// The drags that cross machines.
  struct Drags: Codable, Equatable {
    /// The number of drags of this machine that other machines show.
    var offered: Int
    /// The number of drags of other machines that this machine shows.
    var received: Int
    /// The number of messages that were altered, repeated, reordered or malformed.
    var rejected: UInt64
  }

  /// The drags; nil if the service does not report them.
  var drags: Drags?
  /// The boards by their names.
  var boards: [String: Board] = [:]
  /// The error of the group; nil without an error.
  var error: String?
  /// The time since which the server cannot be reached, in the format of RFC 3339; nil if it can be reached.
  var unreachableSince: String?

  /// The current time in the format of RFC 3339.
  static var now: String { Date.now.formatted(.iso8601) }

  private static func path(in store: ConfigurationStore) -> String {
    store.stateDirectory + "/report"
  }

  /// The path of the report while the disk is full, in memory; nil without a runtime directory.
  private static func pathInMemory(in store: ConfigurationStore) -> String? {
    guard let directory = Environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else {
      return nil
    }
    // Several sessions with different homes can have one runtime directory.
    let name = ContentHash(of: Array(store.stateDirectory.utf8)).description.prefix(16)
    return "\(directory)/dragboard-link-\(name)"
  }

  /// Replaces the report.
  ///
  /// Ignores errors, because the service must not stop.
  func write(to store: ConfigurationStore) {
    guard let text = try? JSONEncoder().encode(self) else { return }
    let memory = Self.pathInMemory(in: store)
    do {
      // The next service writes a new report, so the file need not survive a power cut.
      try AtomicFile.write(Array(text), to: Self.path(in: store), isDurable: false)
      if let memory { unlink(memory) }
    } catch {
      if let memory { try? AtomicFile.write(Array(text), to: memory, isDurable: false) }
    }
  }

  /// Reads the report; returns an empty report if the file cannot be read.
  static func read(from store: ConfigurationStore) -> ServiceReport {
    for path in [pathInMemory(in: store), path(in: store)].compactMap(\.self) {
      if let file = try? FileDescriptor(opening: path, O_RDONLY),
        let count = try? file.byteCount(), let bytes = file.read(count, at: 0),
        let report = try? JSONDecoder().decode(ServiceReport.self, from: Data(bytes))
      {
        return report
      }
    }
    return ServiceReport()
  }
}

extension ServiceReport.Drags {
  init(_ status: DragRelay.Status) {
    (offered, received, rejected) = (status.offered, status.received, status.rejected)
  }
}
