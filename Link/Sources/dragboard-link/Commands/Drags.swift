import LinkArguments
import LinkEngine
import LinkState

extension LinkDrags: PerformedSubcommand {
  func perform() throws {
    let store = ConfigurationStore.ofUser
    guard store.exists else { throw NotConfigured() }
    try store.openState().setSharesDrags(setting != .off, withFiles: setting == .files)
  }
}

extension LinkFiles: PerformedSubcommand where Completions == NoCompletions {
  func perform() async throws {
    guard board != "clipboard" || setting == .off else { throw FilesOfClipboard() }
    let group = try ConfigurationStore.ofUser.openGroup()
    let log = try await group.log(ofBoard: board)
    try group.database.setSharesFiles(setting == .on, ofLog: "\(log)")
  }
}

/// The error of `files clipboard on`.
struct FilesOfClipboard: Error, CustomStringConvertible {
  let description =
    "board: files never cross with copies, which any program can make (expected a board other than 'clipboard')"
}

extension LinkPause: PerformedSubcommand {
  func perform() throws {
    let store = ConfigurationStore.ofUser
    guard store.exists else { throw NotConfigured() }
    try store.openState().setPaused(true)
    try UserService.link.stop(in: store)
  }
}

extension LinkResume: PerformedSubcommand {
  func perform() throws {
    let store = ConfigurationStore.ofUser
    guard store.exists else { throw NotConfigured() }
    if try store.loadRoute() != nil { try UserService.server.start(in: store) }
    try UserService.link.start(in: store)
  }
}
