import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// dbus-send cannot send an empty array, splits at every comma, and drops empty texts. A method
/// that needs one of these has an alternative:
///
/// | method | impossible argument | alternative |
/// | --- | --- | --- |
/// | InsertTexts | no text, an empty text, a text with a comma | InsertText |
/// | BeginTextDrag | the same | BeginDrag, then AddText for each text |
/// | InsertData, RegisterData | no bytes | InsertText and RegisterText for plain text; empty data
/// of another type has no use |
/// | MoveItems, DeleteItems | no item | no call: an empty list changes nothing |
/// | DragSource.BeginDrag | no item | Manager.BeginDrag |
/// | SetAcceptedTypes | no type | a type that nothing has, `x-none/x-none` |
@Suite("The daemon, called with dbus-send")
struct DBusSendTests {
  private typealias Call = DBusSend.Call
  private static let root = "/org/dragboard/Dragboard1"

  private static let boards = [
    Call("", "Manager.GetBoard", "string:default", gives: #"object path "\#(root)/board/default""#),
    Call("", "Manager.CreateBoard", "string:a b", gives: #"object path "\#(root)/board/a_20b""#),
    Call("", "Manager.RenameBoard", "string:a b", "string:c", gives: ""),
    Call("", "Manager.DeleteBoard", "string:c", gives: ""),
    Call("", "Manager.RestoreBoard", "string:c", gives: #"object path "\#(root)/board/a_20b""#),
    Call("", "Manager.DeleteBoard", "string:c", gives: ""),
    Call("", "Manager.CreateBoard", "string:d", gives: #"object path "\#(root)/board/d""#),
    Call("", "Manager.DiscardBoard", "string:d", "uint64:1", gives: ""),
    Call(
      "", "Manager.GetDeletedBoards",
      gives: #"array [ struct { string "c" uint32 0 uint64 {deleted} } ]"#),
  ]

  private static let rows = [
    board("Board.InsertText", "uint32:0", "int32:-1", "string:one, two", gives: #"string "{a}""#),
    board(
      "Board.InsertTexts", "uint32:0", "int32:0", "array:string:x,y",
      gives: #"array [ string "{x}" string "{y}" ]"#),
    board(
      "Board.InsertData", "uint32:0", "int32:-1", "string:text/html", "array:byte:60,98,62",
      gives: #"string "{h}""#),
    board("Board.SetText", "string:{a}", "string:three", gives: "uint64 5"),
    board("Board.ReplaceText", "uint64:5", "string:{a}", "string:three", gives: "uint64 5"),
    board("Board.SetEditable", "string:{a}", "boolean:false", gives: "uint64 6"),
    board("Board.SetEditable", "string:{a}", "boolean:true", gives: "uint64 7"),
    board("Board.SetMovable", "string:{a}", "boolean:true", gives: "uint64 7"),
    board("Board.SetPinned", "string:{a}", "boolean:false", gives: "uint64 7"),
    board("Board.MoveRow", "uint32:0", "uint32:0", "uint32:0", "uint32:1", gives: "uint64 8"),
    board("Board.MoveItems", "array:string:{a},{h}", "uint32:0", "int32:0", gives: "uint64 9"),
    board(
      "Board.GetRows", "uint32:0", "uint32:0", "uint32:1",
      gives: """
        uint64 9 array [ struct { string "{a}" string "three" array [ \
        string "text/plain;charset=utf-8" ] array [ dict entry( … ) ] } ]
        """),
    board(
      "Board.GetTexts", "uint32:0", "uint32:0", "uint32:9",
      gives: #"array [ string "three" string "" string "y" string "x" ]"#),
    board("Board.GetIndexPath", "string:{y}", gives: "uint32 0 uint32 2"),
    board("Board.GetTypes", "string:{h}", gives: #"array [ string "text/html" ]"#),
    board("Board.GetText", "string:{a}", gives: #"string "three""#),
    board("Board.GetData", "string:{h}", "string:*/*", gives: #"array of bytes "<b>""#),
    board("Board.GetFile", "string:{h}", "string:*/*", gives: "file descriptor…"),
    board(
      "Board.GetSnapshot",
      gives: """
        uint64 9 array [ struct { string "main" array [ string "{a}" string "{h}" string "{y}" \
        string "{x}" ] } ]
        """),
    board("Board.DeleteRow", "uint32:0", "uint32:3", gives: "uint64 10"),
    board("Board.DeleteItems", "array:string:{y}", gives: "uint64 11"),
    board("Board.Search", "string:THR", "uint32:0", gives: #"array [ string "{a}" ]"#),
    board(
      "Board.FindRows", "string:hre", "uint32:0", "uint32:9",
      gives: """
        uint64 11 array [ struct { uint32 0 uint32 0 string "{a}" string "three" array [ \
        string "text/plain;charset=utf-8" ] array [ dict entry( … ) ] } ] boolean false
        """),
    board("Board.ApplyOrder", "uint64:11", "uint32:0", "array:string:{h},{a}", gives: "uint64 12"),
    board("Board.Undo", gives: "uint64 13"),
    board("Board.ReserveItems", "uint32:1", gives: "array […"),
    board("Board.Redo", gives: "uint64 14"),
    board(
      "Board.GetChanges", "uint64:13",
      gives: """
        uint64 14 array [ struct { string "move" string "{h}" uint32 0 uint32 1 uint32 0 uint32 0 } ]
        """),
    board("Board.GetHistory", "uint64:14", "string:", gives: "uint64 14 string …"),
  ]

  private static let sections = [
    board("Board.InsertSection", "string:late", "int32:-1", gives: "uint64 15"),
    board("Board.RenameSection", "uint32:1", "string:later", gives: "uint64 16"),
    board("Board.MoveSection", "uint32:1", "uint32:0", gives: "uint64 17"),
    board("Board.DeleteSection", "uint32:0", gives: "uint64 18"),
    board("Board.SetAcceptedTypes", "array:string:text/*,public.png", gives: ""),
  ]

  private static let drops = [
    board(
      "DragSource.BeginDrag", "string:org.x", "array:string:{a},{h}",
      gives: #"object path "\#(root)/session/{rows}""#),
    board(
      "DragSource.BeginRowDrag", "string:org.x", "uint32:0", "uint32:1",
      gives: #"object path "\#(root)/session/{row}""#),
    board("DropTarget.CanHandle", "objpath:\(root)/session/{rows}", gives: "boolean true"),
    board(
      "DropTarget.ProposeDrop", "objpath:\(root)/session/{rows}", "string:org.y", "uint32:0",
      "int32:1", gives: #"string "copy" string "insert-at-destination" uint32 0 uint32 1"#),
    board("DropTarget.ExitDrop", "objpath:\(root)/session/{rows}", "string:org.y", gives: ""),
    board(
      "DropTarget.PerformDrop", "objpath:\(root)/session/{rows}", "string:org.y", "uint32:0",
      "int32:-1", gives: #"string "copy" array [ string "{a2}" string "{h2}" ]"#),
  ]

  private static let drags = [
    Call(
      "", "Manager.BeginTextDrag", "string:org.x", "array:string:one,two",
      gives: #"object path "\#(root)/session/{texts}""#),
    Call(
      "", "Manager.BeginDrag", "string:org.x", gives: #"object path "\#(root)/session/{drag}""#),
    session("DragSession.AddText", "string:one, two", gives: "uint32 0"),
    session("DragSession.AddItem", "string:a name", gives: "uint32 1"),
    session("DragSession.RegisterText", "uint32:1", "string:", gives: ""),
    session(
      "DragSession.RegisterData", "uint32:1", "string:public.html", "string:team", "array:byte:60",
      gives: ""),
    session(
      "DragSession.SetExpectedSize", "uint32:1", "string:text/html", "uint64:5",
      gives:
        "Error org.freedesktop.DBus.Error.InvalidArgs: type: text/html of item 1 is not a promise…"
    ),
    session(
      "DragSession.GetTypes", "uint32:1",
      gives: #"array [ string "text/plain;charset=utf-8" string "text/html" ]"#),
    session("DragSession.GetSizes", "uint32:1", gives: "array [ uint64 0 uint64 1 ]"),
    session(
      "DragSession.GetPublicTypes", "uint32:1",
      gives: #"array [ string "text/plain;charset=utf-8" ]"#),
    session("DragSession.CanLoad", "string:image/*", gives: "boolean false"),
    session("DragSession.GetSuggestedName", "uint32:1", gives: #"string "a name""#),
    session(
      "DragSession.GetAttributes", "uint32:1",
      gives: #"array [ dict entry( string "name" variant string "a name" ) ]"#),
    session("DragSession.Cancel", gives: ""),
    board("Board.Clear", gives: "uint64 20"),
    board("Board.Erase", "boolean:true", gives: "uint64 20"),
  ]

  private static let accepted = [
    Call(
      "", "Manager.BeginDrag", "string:org.x", gives: #"object path "\#(root)/session/{taken}""#),
    taken("DragSession.AddText", "string:three", gives: "uint32 0"),
    taken(
      "DragSession.RegisterPromise", "uint32:0", "string:public.html", "string:all",
      "objpath:/loader", gives: ""),
    taken("DragSession.Accept", "string:org.y", "string:move", gives: #"string "copy""#),
    taken("DragSession.LoadText", "uint32:0", gives: #"string "three""#),
    taken(
      "DragSession.LoadData", "uint32:0", "string:*/*", gives: #"array of bytes "three""#),
    taken("DragSession.LoadFile", "uint32:0", "string:text/plain", gives: "file descriptor…"),
    taken("DragSession.Finish", gives: ""),
    Call(
      "", "Manager.BeginDrag", "string:org.x", gives: #"object path "\#(root)/session/{passed}""#),
    passed("DragSession.AddText", "string:four", gives: "uint32 0"),
    passed("DragSession.Accept", "string:org.y", "string:copy", gives: #"string "copy""#),
    passed("DragSession.FinishItems", "array:uint32:0", "array:uint32:0", gives: ""),
  ]

  private static let views = [
    board(
      "Board.InsertTexts", "uint32:0", "int32:0", "array:string:v,w",
      gives: #"array [ string "{v}" string "{w}" ]"#),
    board("Board.SetItemName", "string:{v}", "string:notes.txt", gives: "uint64 22"),
    board(
      "Board.StackItems", "array:string:{v},{w}", "uint32:0", "int32:0", "string:s",
      gives: "uint64 23"),
    board("Views.OpenView", "string:org.x", gives: #"object path "\#(root)/view/{view}""#),
    view("View.SelectRow", "uint32:0", "uint32:0", gives: ""),
    view("View.Select", "array:string:{w}", gives: ""),
    view("View.SetReselect", gives: #"string "{w}""#),
    view("View.Commit", gives: #"string "{w}""#),
    view("View.SetEditing", "boolean:true", gives: ""),
    view("View.SetEditing", "boolean:false", gives: ""),
    view("View.Reselect", gives: #"string "{w}""#),
    view("View.Deselect", gives: ""),
    view("View.Close", gives: ""),
  ]

  private static let calls = boards + rows + sections + drops + drags + accepted + views

  /// Methods with a file descriptor, a struct or a variant as an argument, which dbus-send cannot
  /// send.
  private static let taking = [
    "Board.ApplyEdits", "Board.ApplySnapshot", "Board.InsertFile", "Board.InsertItem",
    "DragSession.LoadToPipe", "DragSession.RegisterFile",
    "DragSession.SetAttributes",
  ]

  private static func board(
    _ method: String, _ arguments: String..., gives reply: String
  ) -> Call {
    Call("board/default", method, arguments, gives: reply)
  }

  private static func session(
    _ method: String, _ arguments: String..., gives reply: String
  ) -> Call {
    Call("session/{drag}", method, arguments, gives: reply)
  }

  private static func view(
    _ method: String, _ arguments: String..., gives reply: String
  ) -> Call {
    Call("view/{view}", method, arguments, gives: reply)
  }

  private static func passed(
    _ method: String, _ arguments: String..., gives reply: String
  ) -> Call {
    Call("session/{passed}", method, arguments, gives: reply)
  }

  private static func taken(
    _ method: String, _ arguments: String..., gives reply: String
  ) -> Call {
    Call("session/{taken}", method, arguments, gives: reply)
  }

  @Test("Every method can be called, and gives the expected reply")
  func methods() throws {
    let sender = DBusSend(try Daemon())
    for call in Self.calls {
      let (words, isExpected) = try sender.make(call)
      #expect(isExpected, "\(call) gave \(words)")
    }
  }

  @Test("The table contains every method")
  func completeness() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.beginDrag()
    let view = try client.call(ViewsInterface.openView, at: BusClient.board, "")
    var served: Set<String> = []
    for path in [Dragboard.root, BusClient.board, session, view] {
      let document = try InterfaceDocument(
        client.call(IntrospectableInterface.introspect, at: path))
      for line in document.lines where line.hasPrefix("org.dragboard.") {
        let parts = line.split(separator: "/")
        guard parts.count == 2, parts[1].hasPrefix("method ") else { continue }
        served.insert("\(parts[0]).\(parts[1].dropFirst(7))")
      }
    }
    let called = Self.calls.map(\.method) + Self.taking
    #expect(served == Set(called.map { "\(Dragboard.busName).\($0)" }))
  }

  @Test("The specification lists the methods that dbus-send cannot call")
  func exceptions() throws {
    let specification = try Checkout.text(
      of: "Sources/DragboardInterface/Interfaces/specification.md")
    let table = try #require(
      specification.firstMatch(of: /\| method \| with `dbus-send` \|\n(\|.*\n)+/))
    let methods = table.0.matches(of: /\| `([A-Za-z]+\.[A-Za-z]+)` \|/).map { String($0.1) }
    #expect(methods == Self.taking)
  }

  private static let properties: [(path: String, name: String, value: String)] = [
    ("", "Manager.Version", #"string "\#(Dragboard.version)""#),
    ("", "Manager.Boards", #"array [ object path "\#(root)/board/default" ]"#),
    ("", "Manager.Sessions", #"array [ object path "\#(root)/session/{drag}" ]"#),
    ("", "Manager.Dragging", "boolean true"),
    ("board/default", "Board.Name", #"string "default""#),
    ("board/default", "Board.Revision", "uint64 1"),
    ("board/default", "Board.Count", "uint32 0"),
    ("board/default", "Board.Sections", #"array [ string "main" ]"#),
    ("board/default", "Board.AcceptedTypes", #"array [ string "*/*" ]"#),
    ("board/default", "Board.MaxRows", "uint32 0"),
    ("board/default", "Board.MovesMultipleRows", "boolean false"),
    ("board/default", "Board.RetainRows", "uint32 0"),
    ("board/default", "Board.RetainSeconds", "uint32 0"),
    ("board/default", "Board.MovesDuplicates", "boolean false"),
    ("board/default", "Board.HasActiveDrag", "boolean false"),
    ("session/{drag}", "DragSession.Application", #"string "org.x""#),
    ("session/{drag}", "DragSession.State", #"string "active""#),
    ("session/{drag}", "DragSession.Operation", #"string """#),
    ("session/{drag}", "DragSession.ItemCount", "uint32 0"),
    ("session/{drag}", "DragSession.SourceBoard", #"object path "/""#),
    ("session/{drag}", "DragSession.SourceRows", "array [ ]"),
    ("session/{drag}", "DragSession.AllowsMove", "boolean true"),
    ("session/{drag}", "DragSession.RestrictedToApplication", "boolean false"),
    ("session/{drag}", "DragSession.Machine", #"string """#),
    ("session/{drag}", "DragSession.Progress", "double 0"),
  ]

  @Test("Every property can be read, and every writable property set")
  func properties() throws {
    let sender = DBusSend(try Daemon())
    func expect(_ call: Call) throws {
      let (words, isExpected) = try sender.make(call)
      #expect(isExpected, "\(call) gave \(words)")
    }
    try expect(
      Call(
        "", "Manager.BeginDrag", "string:org.x",
        gives: #"object path "\#(Self.root)/session/{drag}""#))
    for (path, name, value) in Self.properties {
      try expect(property(path, name, "Get", gives: "variant \(value)"))
    }
    for (path, name, value, printed) in [
      ("board/default", "Board.MaxRows", "uint32:7", "uint32 7"),
      ("board/default", "Board.MovesMultipleRows", "boolean:true", "boolean true"),
      ("board/default", "Board.RetainRows", "uint32:8", "uint32 8"),
      ("board/default", "Board.RetainSeconds", "uint32:9", "uint32 9"),
      ("board/default", "Board.MovesDuplicates", "boolean:true", "boolean true"),
      ("session/{drag}", "DragSession.AllowsMove", "boolean:false", "boolean false"),
      ("session/{drag}", "DragSession.RestrictedToApplication", "boolean:true", "boolean true"),
      ("session/{drag}", "DragSession.Machine", "string:desktop", #"string "desktop""#),
    ] {
      try expect(property(path, name, "Set", "variant:\(value)", gives: ""))
      try expect(property(path, name, "Get", gives: "variant \(printed)"))
    }
  }

  private func property(
    _ path: String, _ name: String, _ method: String, _ value: String..., gives reply: String
  ) -> Call {
    let parts = name.split(separator: ".")
    return Call(
      path, "org.freedesktop.DBus.Properties.\(method)",
      ["string:\(Dragboard.busName).\(parts[0])", "string:\(parts[1])"] + value, gives: reply)
  }
}
