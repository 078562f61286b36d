import ClipboardModel
import Testing

@Suite struct CopyPlanTests {
  private func plan(_ names: String...) throws -> [ClipboardCopyPlan.Request] {
    try ClipboardCopyPlan(offering: names).requests
  }

  private func plannedNames(_ names: String...) throws -> [String] {
    try ClipboardCopyPlan(offering: names).requests.map(\.name)
  }

  @Test func typesKeepTheOrderOfTheOwner() throws {
    #expect(
      try plannedNames("text/html", "image/png", "text/uri-list")
        == ["text/html", "image/png", "text/uri-list"])
  }

  @Test func allNamesOfAPlainTextAreOneRequest() throws {
    let requests = try plan(
      "COMPOUND_TEXT", "TEXT", "STRING", "text/plain", "UTF8_STRING", "text/html")
    #expect(requests.map(\.name) == ["UTF8_STRING", "text/html"])
    #expect(requests.map(\.type) == ["text/plain;charset=utf-8", "text/html"])
  }

  @Test(arguments: [
    ["UTF8_STRING", "text/plain;charset=utf-8"], ["text/plain; charset=UTF-8", "UTF8_STRING"],
  ])
  func theBestNameOfATextIsTheMIMEType(_ names: [String]) throws {
    let requests = try ClipboardCopyPlan(offering: names).requests
    #expect(requests.count == 1)
    #expect(requests.first?.name.hasPrefix("text/plain") == true)
  }

  @Test func aTextStaysAtItsFirstPosition() throws {
    #expect(
      try plannedNames("STRING", "text/html", "UTF8_STRING") == ["UTF8_STRING", "text/html"])
  }

  @Test func targetsThatAreNotTypesAreSkipped() throws {
    #expect(
      try plannedNames(
        "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INCR", "PIXMAP",
        "image/png", "public.png", "a/b/c", "text/*") == ["image/png"])
  }

  @Test func aTypeIsRequestedOnce() throws {
    #expect(
      try plannedNames("text/html", "TEXT/HTML", "text/html; a=\"b\"")
        == ["text/html", "text/html; a=\"b\""])
  }

  @Test func textInAnotherEncodingIsATypeOfItsOwn() throws {
    #expect(
      try plannedNames("text/plain;charset=utf-16", "UTF8_STRING")
        == ["text/plain;charset=utf-16", "UTF8_STRING"])
  }

  @Test func atMostSixteenTypesAreRequested() throws {
    let names = (1...20).map { "application/x-\($0)" }
    #expect(try ClipboardCopyPlan(offering: names).requests.map(\.name) == Array(names.prefix(16)))
  }

  @Test(arguments: [
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

  @Test func aCopyWithTooManyNamesIsRefused() {
    let names = (1...256).map { "application/x-\($0)" }
    #expect(throws: ClipboardCopyPlan.Refusal.tooManyNames) {
      try ClipboardCopyPlan(offering: names + ["x-kde-passwordManagerHint"])
    }
    #expect(throws: Never.self) { try ClipboardCopyPlan(offering: names) }
  }

  @Test func aCopyWithoutTypesIsRefused() {
    #expect(throws: ClipboardCopyPlan.Refusal.noTypes) {
      try ClipboardCopyPlan(offering: ["TARGETS", "PIXMAP"])
    }
    #expect(throws: ClipboardCopyPlan.Refusal.noTypes) { try ClipboardCopyPlan(offering: []) }
  }
}
