import ClipboardModel
import Testing

@Suite struct CopyPlanTests {
  private func plan(_ names: String...) throws -> [ClipboardCopyPlan.Request] {
    try ClipboardCopyPlan(offering: names).requests
  }

  private func plannedNames(_ names: String...) throws -> [String] {
    try ClipboardCopyPlan(offering: names).requests.map(\.name)
  }

  @Test("Types keep the order of the owner") func typesKeepTheOrderOfTheOwner() throws {
    #expect(
      try plannedNames("text/html", "image/png", "text/uri-list")
        == ["text/html", "image/png", "text/uri-list"])
  }

  @Test("All names of a plain text are one request") func allNamesOfAPlainTextAreOneRequest() throws
  {
    let requests = try plan(
      "COMPOUND_TEXT", "TEXT", "STRING", "text/plain", "UTF8_STRING", "text/html")
    #expect(requests.map(\.name) == ["UTF8_STRING", "text/html"])
    #expect(requests.map(\.type) == ["text/plain;charset=utf-8", "text/html"])
  }

  @Test(
    "The best name of a text is the MIME type",
    arguments: [
      ["UTF8_STRING", "text/plain;charset=utf-8"], ["text/plain; charset=UTF-8", "UTF8_STRING"],
    ])
  func theBestNameOfATextIsTheMIMEType(_ names: [String]) throws {
    let requests = try ClipboardCopyPlan(offering: names).requests
    #expect(requests.count == 1)
    #expect(requests.first?.name.hasPrefix("text/plain") == true)
  }

  @Test("A text stays at its first position") func aTextStaysAtItsFirstPosition() throws {
    #expect(
      try plannedNames("STRING", "text/html", "UTF8_STRING") == ["UTF8_STRING", "text/html"])
  }

  @Test("Targets that are not types are skipped") func targetsThatAreNotTypesAreSkipped() throws {
    #expect(
      try plannedNames(
        "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INCR", "PIXMAP",
        "image/png", "public.png", "a/b/c", "text/*") == ["image/png"])
  }

  @Test("A type is requested once") func aTypeIsRequestedOnce() throws {
    #expect(
      try plannedNames("text/html", "TEXT/HTML", "text/html; a=\"b\"")
        == ["text/html", "text/html; a=\"b\""])
  }

  @Test("Text in another encoding is a type of its own") func textInAnotherEncodingIsATypeOfItsOwn()
    throws
  {
    #expect(
      try plannedNames("text/plain;charset=utf-16", "UTF8_STRING")
        == ["text/plain;charset=utf-16", "UTF8_STRING"])
  }

  @Test("At most sixteen types are requested") func atMostSixteenTypesAreRequested() throws {
    let names = (1...20).map { "application/x-\($0)" }
    #expect(try ClipboardCopyPlan(offering: names).requests.map(\.name) == Array(names.prefix(16)))
  }

  @Test(
    "A marked secret is refused",
    arguments: [
      "x-kde-passwordManagerHint", "application/x-nspasteboard-concealed-type",
      "ExcludeClipboardContentFromMonitorProcessing", "Clipboard Viewer Ignore",
      "application/x-qt-windows-mime;value=\"Clipboard Viewer Ignore\"",
      "application/x-copyq-secret", "text/x-kde-passwordManagerHint",
      "electron application/osclipboard;format=\"x-kde-passwordManagerHint\"",
      "X-KDE-PASSWORDMANAGERHINT;x=y", "CanIncludeInClipboardHistory", "CanUploadToCloudClipboard",
      "application/x-qt-windows-mime;value=\"CanIncludeInClipboardHistory\"",
      "org.nspasteboard.ConcealedType", "org.nspasteboard.TransientType",
    ])
  func aMarkedSecretIsRefused(_ mark: String) {
    #expect(throws: ClipboardCopyPlan.Refusal.secret) {
      try ClipboardCopyPlan(offering: ["text/plain", "UTF8_STRING", mark])
    }
  }

  @Test("A copy with too many names is refused") func aCopyWithTooManyNamesIsRefused() {
    let names = (1...256).map { "application/x-\($0)" }
    #expect(throws: ClipboardCopyPlan.Refusal.tooManyNames) {
      try ClipboardCopyPlan(offering: names + ["x-kde-passwordManagerHint"])
    }
    #expect(throws: Never.self) { try ClipboardCopyPlan(offering: names) }
  }

  @Test("A copy without types is refused") func aCopyWithoutTypesIsRefused() {
    #expect(throws: ClipboardCopyPlan.Refusal.noTypes) {
      try ClipboardCopyPlan(offering: ["TARGETS", "PIXMAP"])
    }
    #expect(throws: ClipboardCopyPlan.Refusal.noTypes) { try ClipboardCopyPlan(offering: []) }
  }
}
