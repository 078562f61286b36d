/// The subcommand that reaches each member of the contract, or the member that replaces it.
enum ContractReach {
  /// Command lines, which run in order on one daemon, and the methods that each of them calls.
  static let methods: [(line: String, calls: [String])] = [
    ("dragboard add one two three", ["Manager.GetBoard", "Board.InsertTexts"]),
    (
      "head -c 1000000 /dev/zero > large && dragboard add --file large --type image/png",
      ["Board.InsertItem"]
    ),
    ("dragboard list", ["Board.GetRows"]),
    ("dragboard show 0", ["Board.GetText", "Board.GetIndexPath"]),
    ("dragboard get 3", ["Board.GetFile"]),
    ("dragboard types 0", ["Board.GetTypes"]),
    ("dragboard search two", ["Board.Search"]),
    ("dragboard pick two --with 'head -n 1'", ["Board.FindRows"]),
    ("dragboard changes 1", ["Board.GetChanges"]),
    ("dragboard section list", ["Board.GetSnapshot"]),
    ("dragboard move 0 --to 1", ["Board.MoveItems"]),
    ("dragboard edit 0 --text other", ["Board.SetText"]),
    ("EDITOR='echo more >>' dragboard edit 0", ["Board.ReplaceText"]),
    ("dragboard rename 0 other.txt", ["Board.SetItemName"]),
    ("dragboard pin 0 && dragboard unpin 0", ["Board.SetPinned"]),
    ("dragboard stack 0 1 && dragboard unstack 0 1", ["Board.StackItems"]),
    ("dragboard lock 0 && dragboard unlock 0", ["Board.SetEditable"]),
    ("dragboard lock --position 0 && dragboard unlock --position 0", ["Board.SetMovable"]),
    ("dragboard remove 0", ["Board.DeleteItems"]),
    ("dragboard undo", ["Board.Undo"]),
    ("dragboard redo", ["Board.Redo"]),
    ("dragboard sort --reverse", ["Board.ApplyOrder"]),
    ("dragboard apply --print | sed '$d' | dragboard apply", ["Board.ApplySnapshot"]),
    ("dragboard section add later", ["Board.InsertSection"]),
    ("dragboard section rename later soon", ["Board.RenameSection"]),
    ("dragboard section move soon --to 0", ["Board.MoveSection"]),
    ("dragboard section remove soon", ["Board.DeleteSection"]),
    ("dragboard board add work", ["Manager.CreateBoard"]),
    ("dragboard board rename work play", ["Manager.RenameBoard"]),
    ("dragboard board set play --accept 'image/*'", ["Board.SetAcceptedTypes"]),
    ("dragboard board remove play", ["Manager.DeleteBoard", "Manager.GetDeletedBoards"]),
    ("dragboard board restore play", ["Manager.RestoreBoard"]),
    (
      "dragboard drag some --as org.example.Notes --detach",
      ["Manager.BeginDrag", "DragSession.AddItem", "DragSession.RegisterData"]
    ),
    (
      "dragboard drag --file large --as org.example.Notes --detach",
      ["DragSession.RegisterFile", "DragSession.SetAttributes"]
    ),
    ("dragboard drag --row 0 --as org.example.Notes --detach", ["DragSource.BeginDrag"]),
    ("dragboard types --session 1", ["DragSession.GetTypes"]),
    (
      "dragboard drag sized --as org.example.Notes --detach && dragboard drop --into .",
      ["DragSession.GetSizes"]
    ),
    ("dragboard propose 1 --json", ["DropTarget.CanHandle", "DropTarget.ProposeDrop"]),
    ("dragboard propose 1 --exit", ["DropTarget.ExitDrop"]),
    ("dragboard drop 1", ["DropTarget.PerformDrop"]),
    (
      "dragboard drop 2 --into .",
      [
        "DragSession.Accept", "DragSession.GetAttributes", "DragSession.LoadFile",
        "DragSession.Finish",
      ]
    ),
    ("dragboard cancel 3", ["DragSession.Cancel"]),
    (
      "dragboard drag --exec 'echo some' --type 'text/plain;charset=utf-8' & "
        + "until dragboard drop; do :; done; wait",
      ["DragSession.RegisterPromise"]
    ),
    (
      "{ dragboard drag --exec 'echo some' --name some & }; "
        + "until dragboard drop --into .; do :; done; wait",
      ["DragSession.LoadToPipe"]
    ),
    ("dragboard view open --as org.example.Notes", ["Views.OpenView"]),
    ("dragboard view select 1 0", ["View.Select"]),
    ("dragboard view reselect 1", ["View.Reselect"]),
    ("dragboard view reselect 1 --prepare", ["View.SetReselect"]),
    ("dragboard view reselect 1 --commit", ["View.Commit"]),
    ("dragboard view deselect 1", ["View.Deselect"]),
    ("dragboard view editing 1 on", ["View.SetEditing"]),
    ("dragboard view close 1", ["View.Close"]),
    ("dragboard clear", ["Board.Clear"]),
    ("dragboard clear --erase", ["Board.Erase"]),
  ]

  /// The methods that no subcommand calls, each with the method that subcommands call instead.
  static let otherMethods = [
    "Board.GetTexts": "dragboard get; GetRows and GetFile give more",
    "Board.GetData": "dragboard get, which takes GetFile",
    "Board.InsertText": "dragboard add, which takes InsertTexts",
    "Board.InsertData": "dragboard add --stdin, which takes InsertItem",
    "Board.InsertFile": "dragboard add --file, which takes InsertItem",
    "Board.GetHistory": "dragboard changes, which takes GetChanges",
    "Board.ReserveItems": "a link calls it for ApplyEdits",
    "Board.ApplyEdits": "a link repeats edits of other machines; every other subcommand edits",
    "Board.MoveRow": "dragboard move, which takes MoveItems",
    "Board.DeleteRow": "dragboard remove, which takes DeleteItems",
    "Manager.DiscardBoard": "dragboard import, if it fails",
    "Manager.BeginTextDrag": "dragboard drag, which takes BeginDrag",
    "DragSource.BeginRowDrag": "dragboard drag --row, which takes BeginDrag",
    "DragSession.AddText": "dragboard drag, which takes AddItem and RegisterData",
    "DragSession.RegisterText": "dragboard drag, which takes RegisterData",
    "DragSession.GetSuggestedName": "dragboard drop --into, which takes GetAttributes",
    "DragSession.SetExpectedSize": "the command does not know how much a command will print",
    "DragSession.GetPublicTypes": "a link calls it; dragboard types --session takes GetTypes",
    "DragSession.FinishItems": "a link calls it for a drop on another machine",
    "DragSession.CanLoad": "dragboard types --session lists what can be loaded",
    "DragSession.LoadText": "dragboard drop --stdout, which takes LoadFile",
    "DragSession.LoadData": "dragboard drop --stdout, which takes LoadFile",
    "View.SelectRow": "dragboard view select, which takes Select",
    "RepresentationLoader.Load": "the daemon calls it; dragboard drag --exec answers",
  ]

  /// The commands that print properties as JSON, and the names under which they print them.
  static let properties: [(command: [String], names: [String: String])] = [
    (
      ["boards"],
      [
        "Board.Name": "name", "Board.Revision": "revision", "Board.Count": "rows",
        "Board.Sections": "sections", "Board.AcceptedTypes": "accepted_types",
        "Board.MaxRows": "max_rows", "Board.MovesMultipleRows": "moves_multiple_rows",
        "Board.RetainRows": "retain_rows", "Board.RetainSeconds": "retain_seconds",
        "Board.MovesDuplicates": "moves_duplicates",
        "Board.HasActiveDrag": "dragging", "Manager.Boards": "path",
      ]
    ),
    (
      ["sessions"],
      [
        "DragSession.Application": "application", "DragSession.State": "state",
        "DragSession.Operation": "operation", "DragSession.ItemCount": "items",
        "DragSession.SourceBoard": "board", "DragSession.SourceRows": "rows",
        "DragSession.AllowsMove": "allows_move",
        "DragSession.RestrictedToApplication": "restricted", "DragSession.Progress": "progress",
        "DragSession.Machine": "machine",
        "Manager.Sessions": "session",
      ]
    ),
    (
      ["view", "list"],
      [
        "View.Board": "board", "View.Application": "application", "View.Editing": "editing",
        "View.Selection": "selection", "View.Pending": "pending",
        "View.AllowsMultipleSelection": "allows_multiple_selection",
      ]
    ),
    (
      ["status"],
      [
        "Manager.Version": "version", "Manager.Dragging": "drags", "Manager.Limits": "limits",
      ]
    ),
  ]

  /// The command that sets each writable property.
  static let settings = [
    "Board.MaxRows": "dragboard board set default --max-rows 5",
    "Board.MovesMultipleRows": "dragboard board set default --moves-multiple-rows",
    "Board.RetainRows": "dragboard board set default --retain-rows 1000",
    "Board.RetainSeconds": "dragboard board set default --retain-for 30d",
    "Board.MovesDuplicates": "dragboard board set default --moves-duplicates",
    "DragSession.AllowsMove": "dragboard drag a --as org.example.Notes --detach --no-move",
    "DragSession.RestrictedToApplication":
      "dragboard drag a --as org.example.Notes --detach --restricted",
    "View.AllowsMultipleSelection": "dragboard view set 1 --multiple",
  ]

  /// The writable properties that no subcommand sets, each with the reason.
  static let otherSettings = ["DragSession.Machine": "a link sets it for a drag of another machine"]

  /// The name of each signal in the output of `dragboard watch --json`.
  static let watched = [
    "Board.Changed": "insert", "Manager.DragBegan": "drag-began",
    "Manager.DragEnded": "drag-ended", "DropTarget.DropPending": "drop-pending",
    "DropTarget.DropPerformed": "drop-performed",
  ]

  /// The name of each signal in the output of `dragboard drag --json`.
  static let told = [
    "DragSession.DidUpdate": "proposed", "DragSession.DidExit": "exited",
    "DragSession.ItemsAdded": "items-added", "DragSession.WillEnd": "will-end",
    "DragSession.DidTransferItems": "ended", "DragSession.DidEnd": "ended",
  ]

  /// The signals that no subcommand prints, each with the reason.
  static let otherSignals = [
    "DragSession.ItemChanged": "dragboard types --session lists the types; a link follows them"
  ]
}
