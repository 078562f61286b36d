import CGtk4
import DragboardClient
import ShelfModel

/// Drags without a pointer: the user picks rows up, goes to the destination, and puts them down.
///
/// Picked-up rows are a drag session on the bus. So another program can take them, such as
/// `dragboard drop`, and rows that another program holds can be put down here: these are the waiting
/// drags. WCAG 2.2, success criterion 2.5.7, requires that everything works without dragging.
final class PickUp {
  /// Rows that the user has picked up.
  private struct Held {
    let page: BoardPage
    let items: [ItemID]
    let name: String
    let session: DragSession
    let following: Task<Void, Never>
  }

  /// The strip with the latest message and the buttons.
  let strip: PickUpStrip
  private weak var window: ShelfWindow?
  private var held: Held?
  /// The drags of other programs, oldest first, with their titles.
  private var waiting: [(id: SessionID, title: String)] = []
  private var isDropping = false
  private var isAsking = false
  private var isStale = false

  /// Creates the drags of a window.
  init(in window: ShelfWindow) {
    self.window = window
    strip = PickUpStrip()
    strip.onPut = { [weak self] in self?.putDown() }
    strip.onCancel = { [weak self] in self?.cancel() }
  }

  /// Whether rows are picked up, or a drag of another program waits.
  var canPutDown: Bool { isHolding || !waiting.isEmpty }

  /// Whether rows are picked up.
  var isHolding: Bool { held != nil }

  /// Picks up rows of a page; rows that are picked up already go back.
  func pickUp(_ items: [ItemID], of page: BoardPage) {
    guard !items.isEmpty, page.isLive else { return }
    release()
    let name = page.name(of: items)
    Task { [weak self] in
      do {
        let session = try await page.beginDrag(of: items)
        self?.hold(items, of: page, named: name, in: session)
      } catch { page.report(error) }
    }
  }

  private func hold(
    _ items: [ItemID], of page: BoardPage, named name: String, in session: DragSession
  ) {
    let following = Task { [weak self] in
      guard let events = try? await session.events() else { return }
      do {
        for try await event in events {
          if case .ended(let operation) = event { self?.didEnd(session.id, operation) }
        }
      } catch {}
    }
    held = Held(page: page, items: items, name: name, session: session, following: following)
    page.surface.dragged = Set(items)
    strip.show(
      localized("%1 picked up. Go to the destination and press Ctrl+Shift+D.", name),
      isHolding: true)
  }

  /// Handles an end that another program has caused.
  private func didEnd(_ session: SessionID, _ operation: DropOperation) {
    guard let held, held.session.id == session, !isDropping else { return }
    letGo()
    strip.show(
      operation.transfers
        ? localized("%1 was dropped in another program", held.name)
        : localized("%1 stays where it was", held.name))
  }

  private func letGo() {
    held?.following.cancel()
    held?.page.surface.dragged = []
    held = nil
  }

  /// Ends the drag without a drop.
  private func release() {
    guard let held else { return }
    letGo()
    Task { try? await held.session.cancel() }
  }

  /// Puts the rows back.
  ///
  /// - Returns: whether rows were picked up.
  @discardableResult
  func cancel() -> Bool {
    guard let held else { return false }
    release()
    strip.show(localized("%1 stays where it was", held.name))
    return true
  }

  /// Ends the drag when the window closes.
  func close() { release() }

  // MARK: The proposal

  /// Says what a drop at the present place would do, after the user has gone to another place.
  func proposeSoon() {
    isStale = true
    guard held != nil, !isAsking else { return }
    isAsking = true
    Task { [weak self] in
      while let self, isStale, let held, let page = window?.current {
        isStale = false
        if let words = await proposal(for: held, on: page), self.held?.session.id == held.session.id
        {
          strip.show(words, isHolding: true)
        }
      }
      self?.isAsking = false
    }
  }

  private func proposal(for held: Held, on page: BoardPage) async -> String? {
    // The rows are where they were.
    if held.page === page, page.surface.cursor.map(held.items.contains) ?? true { return nil }
    guard let place = page.placeBelowCursor(moving: held.page === page ? held.items : []) else {
      return nil
    }
    var operation = DropOperation.move
    if held.page !== page {
      let proposal = try? await page.board.dropTarget.propose(
        held.session.id, inSection: place.position.section, at: place.position.row, as: .shelf)
      guard let proposal else { return nil }
      operation = proposal.operation
    }
    guard operation.transfers else {
      return localized("“%1” does not accept this content.", page.title)
    }
    guard let row = place.row else {
      return localized("Put %1 down at the end of “%2”", held.name, page.title)
    }
    return localized("Put %1 down below %2", held.name, row)
  }

  // MARK: The drop

  /// Puts the rows down below the row with the cursor; without picked-up rows, the latest waiting
  /// drag.
  func putDown() {
    guard let window, let page = window.current, page.isLive else { return }
    guard let held else {
      if let drag = waiting.last {
        page.edit { [weak self] in try await self?.put(drag, on: page) }
      }
      return
    }
    guard let place = page.placeBelowCursor(moving: held.page === page ? held.items : []) else {
      return
    }
    if held.page === page {
      letGo()
      Task { try? await held.session.accept(.move, as: .shelf).finish() }
      // A single row leaves its stack.
      let leaves = held.items.count == 1 && held.items.contains { page.stacks[$0] != nil }
      page.move(
        held.items, toSection: place.position.section, at: place.position.row,
        stack: leaves ? "" : nil)
      strip.show(Self.result(.move, held.name, place.row))
    } else {
      page.edit { [weak self] in try await self?.move(held, to: page, place) }
    }
  }

  private func move(_ held: Held, to page: BoardPage, _ place: BoardPage.Place) async throws {
    guard self.held?.session.id == held.session.id, !isDropping else { return }
    // The end of the session must not look like a drop in another program.
    isDropping = true
    defer { isDropping = false }
    let move = try await BoardMove(from: held.page, to: page)
    let result = try? await page.board.dropTarget.perform(
      held.session.id, inSection: place.position.section, at: place.position.row, as: .shelf)
    guard let result, result.operation.transfers else {
      // The rows are still picked up, unless the session has ended.
      return strip.show(
        localized("“%1” does not accept this content.", page.title), isHolding: true)
    }
    letGo()
    page.select(Set(result.items))
    strip.show(Self.result(.move, held.name, place.row))
    held.page.edit { try await move.finish(held.items, arrived: result.items) }
  }

  private func put(_ drag: (id: SessionID, title: String), on page: BoardPage) async throws {
    let row = page.placeBelowCursor(moving: [])?.row
    if try await page.drop(drag.id) { strip.show(Self.result(.copy, drag.title, row)) }
  }

  private static func result(_ operation: DropOperation, _ name: String, _ row: String?) -> String {
    switch (operation, row) {
    case (.move, let row?): localized("%1 moved below %2", name, row)
    case (.move, nil): localized("%1 moved to the end", name)
    case (_, let row?): localized("%1 dropped below %2", name, row)
    case (_, nil): localized("%1 dropped at the end", name)
    }
  }

  // MARK: Drags of other programs

  /// Records the waiting drags, and says which are new.
  func show(waiting drags: [(id: SessionID, title: String)]) {
    let new = drags.filter { drag in !waiting.contains { $0.id == drag.id } }
    waiting = drags
    guard held == nil, let drag = new.last else { return }
    strip.show(
      localized("%1 waits to be dropped. To put it down here, press Ctrl+Shift+D.", drag.title))
  }
}

extension BoardPage {
  /// A place for rows.
  struct Place {
    /// The position on the board, without the rows that move there.
    let position: RowPosition
    /// The name of the row above; nil at the end of a board without a cursor.
    let row: String?
  }

  /// Returns the place below the row or stack with the cursor, or else the end of the board.
  ///
  /// - Parameter items: the rows that move there, if they are rows of this board.
  /// - Returns: the place; nil while the board is not shown.
  func placeBelowCursor(moving items: [ItemID]) -> Place? {
    let list = surface.list
    let index = (surface.cursor ?? chosen.last).flatMap(list.index(of:))
    let position = list.destination(
      of: index.map { $0 + 1 } ?? list.entries.count, moving: Set(items))
    return Place(position: position, row: index.map { name(of: list.items(at: $0)) })
  }
}
