import Files
import Glibc
import LinkEngine

/// The report of the running service, a file that `status` and `doctor` read.
struct ServiceReport {
  private let path: String
  private var boards: [String: String] = [:]
  private var error: String?
  private var written: [String]?

  init(in store: ConfigurationStore) { path = store.stateDirectory + "/report" }

  mutating func set(_ text: String?, for board: String) {
    boards[board] = text
    write()
  }

  /// Sets the error of the group; nil if there is none.
  mutating func set(error text: String?) {
    if let text, text != error { FileDescriptor.standardError.print("\(text)\n") }
    error = text
    write()
  }

  private mutating func write() {
    let lines =
      boards.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      + (error.map { [$0] } ?? [])
    guard lines != written else { return }
    written = lines
    let temporary = path + ".new"
    unlink(temporary)
    guard
      let file = try? FileDescriptor(
        opening: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    else { return }
    file.print(lines.map { $0 + "\n" }.joined())
    rename(temporary, path)
  }

  static func read(from store: ConfigurationStore) -> [String] {
    guard let file = try? FileDescriptor(opening: store.stateDirectory + "/report", O_RDONLY),
      let bytes = file.read(64 << 10, at: 0)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
