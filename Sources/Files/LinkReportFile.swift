/// The file in which the link of shared boards reports its state to other programs.
public enum LinkReportFile {
  /// The path of the report in the directory of the link's state.
  public static func path(in directory: String) -> String { "\(directory)/report" }

  /// Returns the path of the report while the disk is full.
  ///
  /// Several sessions with different homes can have one runtime directory, so the name of the file
  /// depends on the directory of the link's state.
  ///
  /// - Parameter directory: the directory of the link's state.
  /// - Returns: a path in memory; nil without a runtime directory.
  public static func pathInMemory(for directory: String) -> String? {
    guard let runtime = Environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
    let name = directory.map { $0 == "/" ? "-" : $0 }.suffix(60)
    return "\(runtime)/dragboard-link\(String(name))"
  }

  /// The directory of the state of the user's link; nil if no variable has an absolute path.
  public static var userDirectory: String? {
    Environment.directory(.state).map { "\($0)/dragboard/link" }
  }
}
