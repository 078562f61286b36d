import CGtk4
import ClipboardModel
import DragboardClient
import Logging
import ShelfModel

/// The paste of the selected row, and the questions before it.
extension Picker {
  func ask(_ question: Question?, _ text: String? = nil) {
    self.question = question
    window.ask(text)
  }

  func paste(isPlain: Bool) {
    // The rows of an earlier query are still visible until the reply arrives.
    guard list.isCurrent, let row = list.selectedRow, let current, !isPasting else { return }
    guard !isPlain || row.types.contains(where: { $0.base == "text/plain" }) else {
      return window.report(localized("The row has no plain text."))
    }
    let answered = question.flatMap {
      $0.item == row.id && $0.isPlain == isPlain ? $0.subject : nil
    }
    isPasting = true
    Task { [self] in
      defer { isPasting = false }
      if bridge == .unknown { await first(of: .seconds(1)) { self.bridge != .unknown } }
      guard bridge == .isPrepared else { return copy(row, isPlain: isPlain, of: current) }
      if sharesModifiers {
        // Only a window with the focus learns of the modifiers, so it stays open until they are released.
        await first(of: .seconds(1)) { [window] in !window.hasModifiers }
        guard !window.hasModifiers else { return copy(row, isPlain: isPlain, of: current) }
      }
      close()
      if answered == .permission, await !allow() { return }
      do {
        let isConfirmed = answered == .lineEnds
        let outcome = try await connection.clipboard.paste(
          row.id, of: current, asPlainText: isPlain, isConfirmed: isConfirmed)
        switch outcome {
        case .pasted: break
        case .copied(PasteObstacle.permissionMissing.rawValue) where !ShelfSettings.hasAskedToPaste:
          // The user is asked once; later, the preferences have the permission.
          ShelfSettings.hasAskedToPaste = true
          appear()
          ask(
            Question(subject: .permission, item: row.id, isPlain: isPlain),
            localized(
              "Copied. To paste, the shelf needs your permission to press keys. The desktop asks for it once, as the control of the keyboard. Press Enter to be asked."
            ))
        case .copied(let reason):
          // The owner of the bridge's name on the bus may be any program.
          let known = PasteObstacle(rawValue: reason)?.rawValue
          notify(
            localized(
              "%1 The row is copied.", known.map { localized($0) } ?? ShownText.line(reason)))
        case .needsConfirmation:
          let text = await Self.question(about: row, on: current)
          appear()
          ask(Question(subject: .lineEnds, item: row.id, isPlain: isPlain), text)
        }
      } catch {
        log.warning("\(error)")
        appear()
        window.report(error)
      }
    }
  }

  /// Lets the desktop ask the user for the permission to press keys; returns whether it is granted.
  private func allow() async -> Bool {
    do {
      try await connection.clipboard.allowPasting()
      return true
    } catch {
      log.warning("\(error)")
      let known = PasteObstacle(rawValue: error.message) ?? .refused
      notify(localized("%1 The row is copied.", localized(known.rawValue)))
      return false
    }
  }

  /// Returns the question before a text with line ends is pasted where a terminal could run it.
  private static func question(about row: RowFacts, on board: Board) async -> String {
    let text = try? await RowText.read(row, on: board)
    guard let text, !text.isCut else {
      return localized("Press Enter again to paste this text with line ends")
    }
    let lines = text.words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let count = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
    return counted(
      "Press Enter again to paste one line and its end",
      "Press Enter again to paste %1 lines", max(count, 1))
  }

  /// Copies a row without the bridge.
  private func copy(_ row: RowFacts, isPlain: Bool, of board: Board) {
    let all = OutgoingTypes.of([row], isCopy: true)
    let types = isPlain ? all.filter { $0.base == "text/plain" } : all
    let provider = RowContentProvider.provider(
      of: types, areFiles: false, from: RowsOfBoard([row], of: board), transfers)
    guard let provider else { return }
    // On Wayland, only a program with the keyboard focus may set the clipboard.
    gdk_clipboard_set_content(gtk_widget_get_clipboard(window.widget), provider.of())
    g_object_unref(provider.object)
    close()
    notify(localized("The row is copied. Press Ctrl+V to paste it."))
  }
}
