import Foundation
import TestSupport
import Testing

@Suite("The findings of doctor about the desktop")
struct DesktopFindingTests {
  /// The findings of doctor if `dragboard-shelf --check` prints these lines.
  private func findings(_ lines: String, exit: Int, _ stage: CommandStage) throws -> [String] {
    let script = """
      [ "$*" = --check ] || exit 99
      cat <<'END'
      \(lines)
      END
      exit \(exit)
      """
    let output = try stage.run("doctor --desktop", with: "dragboard-shelf", script).output
    return output.split(separator: "\n").filter { !$0.contains("  clipboard ") }.map {
      $0.split(separator: " ").joined(separator: " ")
    }
  }

  @Test("doctor --desktop reports the parts that work, and the reasons of the others")
  func doctor() throws {
    let stage = try CommandStage()
    try stage.isolateCommand()
    let bare = try stage.shell("PATH=bin dragboard doctor --desktop").output
    #expect(bare.hasPrefix("--   shelf        the shelf is not installed\n"))
    let lines = "Gtk-WARNING: x\ty\nyes\tedge\tlayers\nno\tdrag begin\tno extension\tInstall it"
    #expect(
      try findings(lines, exit: 0, stage)
        == ["ok edge layers", "-- drag begin no extension", "Install it"])
    #expect(
      try findings("dragboard-shelf: there is no display", exit: 1, stage)
        == ["-- shelf there is no display"])
  }
}
