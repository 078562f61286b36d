import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  /// The thresholds of WCAG 2.1 AA: 4.5:1 for texts, 3:1 for the focus ring.
  @Suite("Contrast") struct ContrastTests {
    /// Returns the relative luminances of the pixels of an area.
    private func luminances(_ area: String, on desk: Desk) throws -> [Double] {
      let text = try desk.run("convert", "x:root", "-crop", area, "+repage", "-depth", "8", "txt:-")
      return text.matches(of: /#([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})/).map { match in
        let parts = [match.1, match.2, match.3].map { digits in
          let value = Double(Int(digits, radix: 16) ?? 0) / 255
          return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
      }
    }

    /// Returns the maximum contrast between the first pixel and another pixel.
    private func contrast(_ area: String, on desk: Desk) throws -> Double {
      let all = try luminances(area, on: desk)
      let first = try #require(all.first)
      return all.map { (max($0, first) + 0.05) / (min($0, first) + 0.05) }.max() ?? 1
    }

    @Test("Small texts and the focus ring have enough contrast", arguments: [false, true])
    func contrast(isDark: Bool) async throws {
      let desk = try await Desk()
      let portal =
        isDark ? try desk.start([Peer.folder.appending(path: "settings-portal").path]) : nil
      if let portal { #expect(portal.nextLine() == "serves") }
      let row = try await desk.board.insert(["one"])[0]
      try await desk.board.insert(
        try Sample.image.parts(in: desk.folder)[0].bytes, as: .png)
      try await desk.openShelf()
      try await desk.select(row, by: "Home")
      // The areas are the second line of the second row, and the left end of the focus ring of the
      // first row.
      for (area, minimum) in [("160x12+72+146", 4.5), ("10x1+8+85", 3)] {
        try await desk.until {
          // GTK hides the focus ring some seconds after the last key.
          try desk.press("Down", "Up")
          return try contrast(area, on: desk) >= minimum
        }
      }
    }
  }
}
