import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The drop target of a board's page.
///
/// Each drag over the page is a drag session on the bus, and the daemon proposes the operation.
final class DropIn {
  private weak var page: BoardPage?
  private let drags: DragsOfShelf
  private var hover: Hover?
  private var target: OpaquePointer?
  /// Whether GTK has reported a drop, and has not reported that it has left the page.
  private var awaitsLeave = false

  /// Creates the drop target of a page.
  init(on page: BoardPage, drags: DragsOfShelf) {
    self.page = page
    self.drags = drags
    attach(to: page)
    connect(page.widget, "unmap") { [weak self] _ in self?.renew() }
    shelf_x_ignore_late_actions(gtk_widget_get_display(page.widget))
  }

  private func attach(to page: BoardPage) {
    let target = made(gtk_drop_target_async_new(nil, DropAction.all))
    answer(target, "drag-enter") { [weak self] in .flags(self?.enter($0) ?? 0) }
    answer(target, "drag-motion") { [weak self] in .flags(self?.move($0) ?? 0) }
    connect(target, "drag-leave") { [weak self] _ in self?.leave() }
    answer(target, "drop") { [weak self] in .handled(self?.drop($0) ?? false) }
    gtk_widget_add_controller(page.widget, target.opaque)
    self.target = target
  }

  /// Replaces GTK's target after a drop.
  ///
  /// If the page is hidden after a drop, GTK 4.8 does not report that the drop has left it. The
  /// target would ignore the next drag.
  private func renew() {
    guard awaitsLeave, let page, let target else { return }
    awaitsLeave = false
    gtk_widget_remove_controller(page.widget, target.opaque)
    attach(to: page)
  }

  private func enter(_ arguments: SignalArguments) -> UInt32 {
    leave()
    guard let page, page.isLive, let drop = arguments.object(1) else { return 0 }
    let own = gdk_drop_get_drag(drop) == nil ? nil : drags.carried
    // Refuse a drag without types, for example a tab of this window.
    guard own != nil || !ForeignContent(drop: drop).types.offers.isEmpty else { return 0 }
    let hover = Hover(drop, over: page, own)
    self.hover = hover
    hover.move(to: arguments.double(3))
    return hover.action.rawValue
  }

  private func move(_ arguments: SignalArguments) -> UInt32 {
    hover?.move(to: arguments.double(3))
    return hover?.action.rawValue ?? 0
  }

  private func leave() {
    awaitsLeave = false
    hover?.leave()
    hover = nil
  }

  private func drop(_ arguments: SignalArguments) -> Bool {
    awaitsLeave = true
    guard let hover else { return false }
    hover.land(at: arguments.double(3))
    // The drop no longer needs the page, so another drag over the page can begin.
    self.hover = nil
    return true
  }
}

/// A drag over a page.
private final class Hover {
  /// The action to show for the daemon's proposal.
  var action: GdkDragAction {
    DropAction.of(operation, for: drop.pointer, prefersMove: comesFromOtherBoard)
  }
  private var operation: DropOperation
  private let drop: Owned
  private let page: BoardPage
  private let own: (any CarriedDrag)?
  private let session: Task<DragSession?, Never>
  private let content: ForeignContent
  private let incoming: Task<IncomingDrag?, Never>
  private var gap = BoardList.Gap(index: 0, height: 0)
  /// The index of the closed stack under the pointer, which a drop joins.
  private var target: Int?
  private var height = 0.0
  private var isOver = false
  private var isAsking = false
  private var isExplained = false
  private var hasMoved = false
  private var scrolling: Timer?

  init(_ drop: OpaquePointer, over page: BoardPage, _ own: (any CarriedDrag)?) {
    self.drop = Owned(retaining: drop)
    self.page = page
    self.own = own
    // Until the daemon has replied, the shelf accepts the drag, because a quick hand may drop it
    // before the reply. The daemon decides when it replies.
    operation = own?.source === page ? .move : .copy
    let content = ForeignContent(drop: drop)
    self.content = content
    let connection = page.board.connection
    let incoming = Task {
      guard own == nil else { return IncomingDrag?.none }
      // The daemon can begin the drag even later than its reply is expected. No program could end
      // such a drag.
      return try? await DragboardConnection.withoutTimeouts {
        try await IncomingDrag(content, on: connection, as: .shelfDrop)
      }
    }
    self.incoming = incoming
    session = Task { if let own { await own.session } else { await incoming.value?.session } }
    page.widget.setClass("receiving", true)
  }

  /// Whether rows of another board are dragged.
  private var comesFromOtherBoard: Bool { own?.source.map { $0 !== page } ?? false }

  /// Whether the shelf itself moves the rows instead of dropping the session.
  ///
  /// This is the case if several rows of this board are dragged, because a board can forbid drops
  /// of several rows. It is also the case if a row leaves or joins a stack, because a drop does not
  /// change the stack.
  private var isReorder: Bool {
    guard let own, own.source === page else { return false }
    return own.items.count > 1 || stack != nil || own.items.contains { page.stacks[$0] != nil }
  }

  /// The name of the stack that a drop at the current position joins; nil if it joins no stack.
  private var stack: String? {
    let list = page.surface.list
    let rows = target.map(list.items(at:)) ?? list.stack(aroundGap: gap.index)
    return rows?.first.flatMap { page.stacks[$0] }
  }

  private var place: RowPosition {
    page.surface.list.destination(
      of: target.map { $0 + 1 } ?? gap.index, moving: Set(own?.items ?? []))
  }

  /// Handles a motion of the pointer.
  func move(to height: Double) {
    aim(at: height)
    hasMoved = true
    showLine()
    ask()
    scroll()
  }

  private func aim(at height: Double) {
    self.height = height
    gap = page.surface.gap(at: height)
    target = page.surface.stack(under: height).flatMap { index in
      page.surface.list.items(at: index).contains { own?.items.contains($0) ?? false } ? nil : index
    }
  }

  private func showLine() {
    let isShown = action.rawValue != 0 && !page.surface.list.isEmpty
    page.surface.showTarget(isShown ? target : nil, isShown ? gap : nil)
  }

  /// Requests a proposal for the current position.
  ///
  /// Only one request is active at a time.
  private func ask() {
    guard !isAsking, hasMoved, !isOver else { return }
    if isReorder { return take(.move) }
    (isAsking, hasMoved) = (true, false)
    Task {
      if let session = await session.value {
        let place = place
        let proposal = try? await page.board.dropTarget.propose(
          session.id, inSection: place.section, at: place.row, as: .shelf)
        take(proposal?.operation ?? .forbidden)
      }
      isAsking = false
      ask()
    }
  }

  private func take(_ operation: DropOperation) {
    guard !isOver else { return }
    self.operation = operation
    let action = action
    gdk_drop_status(drop.pointer, action, action)
    showLine()
    if operation == .forbidden { explain() }
  }

  /// Shows the reason why the board does not accept the drag.
  private func explain() {
    guard !isExplained else { return }
    isExplained = true
    Task {
      guard let info = try? await page.board.info(), !isOver else { return }
      page.show(
        refusal: Refusal.text(
          of: page.title, accepting: info.acceptedTypes,
          isFull: info.maxRows > 0 && info.count >= info.maxRows, describe: \.readable))
    }
  }

  /// Scrolls repeatedly while the drag is at an edge.
  private func scroll() {
    guard scrolling == nil, page.surface.scroll(towards: height) else { return }
    scrolling = MainLoop.after(.milliseconds(30)) { [weak self] in
      guard let self, !isOver else { return }
      scrolling = nil
      move(to: height)
    }
  }

  private func end() {
    isOver = true
    scrolling?.cancel()
    page.surface.showTarget(nil, nil)
    page.show(refusal: nil)
    page.widget.setClass("receiving", false)
  }

  /// Ends the session of a drag that leaves the page.
  func leave() {
    guard !isOver else { return }
    end()
    Task {
      guard let session = await session.value else { return }
      try? await page.board.dropTarget.exit(session.id, as: .shelf)
      if own == nil { try? await session.cancel() }
    }
  }

  /// Handles the drop at a height.
  ///
  /// GTK permits no report of the operation during a drop.
  func land(at height: Double) {
    aim(at: height)
    end()
    content.noteDrop()
    own?.wasDroppedInside = true
    page.surface.hold(at: gap.height, moving: Set(own?.items ?? []))
    let (place, action, stack) = (place, action, stack)
    if isReorder, let own { return reorder(own, to: place) }
    Task { [page] in
      await page.answers.watch {
        await perform(at: place, as: action, joining: stack)
      }
    }
  }

  /// Performs the drop and everything that belongs to it.
  private func perform(
    at place: RowPosition, as action: GdkDragAction, joining stack: String?
  ) async {
    let count = await incoming.value?.split(joining: stack)
    if let own, let stack { await join(stack, own) }
    let move = action == GDK_ACTION_MOVE ? try? await moveFromOtherBoard() : nil
    let result = await perform(at: place)
    // Report the action that was shown. If content is missing, report no action, because the
    // source of a move would delete everything.
    let isWhole = result.map {
      $0.operation == operation && !$0.items.isEmpty && $0.items.count == count ?? $0.items.count
    }
    gdk_drop_finish(drop.pointer, isWhole == true ? action : DropAction.none)
    // A waiting drag becomes a waiting drag again. Cancel any other drag, because no program
    // could drop it again.
    if result?.operation.transfers != true, !(own is PickedUpDrag) {
      try? await session.value?.cancel()
    }
    guard let result else { return }
    if let stack, own is PickedUpDrag {
      // Only the source of a drag can set the stack of its items, so move the inserted rows into
      // the stack.
      page.move(result.items, toSection: place.section, at: place.row, stack: stack)
    }
    page.select(Set(result.items))
    if let move, let own, !result.items.isEmpty {
      own.source?.edit { try await move.finish(own.items, arrived: result.items) }
    }
  }

  private func moveFromOtherBoard() async throws -> BoardMove? {
    guard comesFromOtherBoard, let source = own?.source else { return nil }
    return try await BoardMove(from: source, to: page)
  }

  private func reorder(_ own: any CarriedDrag, to place: RowPosition) {
    gdk_drop_finish(drop.pointer, action)
    own.concludeMove()
    let leaves = own.items.count == 1 && own.items.contains { page.stacks[$0] != nil }
    page.move(
      own.items, toSection: place.section, at: place.row, stack: stack ?? (leaves ? "" : nil))
  }

  /// Sets the stack of the dragged rows of another board.
  private func join(_ stack: String, _ own: any CarriedDrag) async {
    guard let session = await own.session else { return }
    for index in own.items.indices { try? await session.setStack(stack, ofItem: index) }
  }

  private func perform(at place: RowPosition) async -> DropResult? {
    guard let session = await session.value else { return nil }
    do {
      return try await page.board.dropTarget.perform(
        session.id, inSection: place.section, at: place.row, as: .shelf)
    } catch {
      page.report(error)
      return nil
    }
  }
}
