import CGtk4
import Dispatch
import DragboardClient
import ShelfModel
import Synchronization

/// A drag session on the bus for the content of another application.
///
/// The bytes are promised, and read when they are requested.
final class IncomingDrag {
  /// The session.
  let session: DragSession
  private let content: ForeignContent
  private let keeper: PromiseKeeper

  /// Begins a session with one item, which has the content's types in order.
  ///
  /// - Throws: the error of the daemon.
  init(
    _ content: ForeignContent, on connection: DragboardConnection, as application: Application
  ) async throws {
    let keeper = PromiseKeeper(content)
    let item = DragItem(
      content.types.offers.map { offer in
        .init(offer.type, .promise(Promise { try $0.write(keeper.bytes(of: offer)) }))
      })
    self.content = content
    self.keeper = keeper
    session = try await connection.beginDrag([item], as: application).session
  }

  /// Replaces an item with several addresses by one item for each address; must be called before
  /// the drop.
  ///
  /// - Parameter stack: the stack that the items join. If it is nil, several items form a new
  ///   stack, depending on the user's setting.
  /// - Returns: the number of items.
  @discardableResult
  func split(joining stack: String? = nil) async -> Int {
    let addresses = await addresses()
    let isSeveral = addresses.count > 1
    let new = isSeveral && ShelfSettings.stacksFiles ? ItemAttributes.newStack() : ""
    let attributes = ItemAttributes(stack: stack ?? new)
    if !attributes.stack.isEmpty { try? await session.setStack(attributes.stack, ofItem: 0) }
    guard isSeveral else { return 1 }
    let others = addresses.dropFirst().map { address in
      DragItem(
        attributes: attributes, [.init(.uriList, .data(Array((address + "\r\n").utf8)))])
    }
    guard (try? await session.add(others)) != nil else { return 1 }
    keeper.reduce(to: addresses[0])
    return addresses.count
  }

  private func addresses() async -> [String] {
    guard let offer = content.types.offers.first(where: { $0.type == .uriList }),
      let bytes = try? await content.read(offer.name)
    else { return [] }
    return Addresses(String(decoding: bytes, as: UTF8.self)).all
  }
}

extension Application {
  /// The shelf, as a source and a destination of drags.
  nonisolated static let shelf = Application("org.dragboard.Shelf")
  /// The shelf, as a source of content that the user drops on it.
  ///
  /// The link of shared boards opens a dropped file only if its row has this source.
  nonisolated static let shelfDrop = Application("org.dragboard.Shelf.Drop")

  /// Whether an application is the shelf.
  nonisolated static func isShelf(_ id: String) -> Bool { [shelf.id, shelfDrop.id].contains(id) }
}

/// A promise keeper that reads the bytes on the main thread while another thread waits for them.
nonisolated private final class PromiseKeeper: Sendable {
  private let content: ForeignContent
  private let onlyAddress = Mutex<String?>(nil)

  init(_ content: ForeignContent) { self.content = content }

  /// Restricts the item to one address after the item was split.
  func reduce(to address: String) { onlyAddress.withLock { $0 = address } }

  /// Returns the bytes of a type; blocks until the other application has provided them.
  func bytes(of offer: OfferedTypes.Offer) throws -> [UInt8] {
    if let address = onlyAddress.withLock(\.self) {
      guard offer.type == .uriList else {
        throw ForeignContent.ReadError(
          description: "the item was split into one item for each file, which has only an address")
      }
      return Array((address + "\r\n").utf8)
    }
    let answer = WaitedFor<[UInt8]>()
    Task { @MainActor [content] in
      do { answer.set(.success(try await content.read(offer.name))) } catch {
        answer.set(.failure(error))
      }
    }
    return try answer.wait()
  }
}

/// A result for which a thread waits.
nonisolated private final class WaitedFor<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// Sets the result; must be called once.
  func set(_ value: Result<Value, any Error>) {
    result.withLock { $0 = value }
    done.signal()
  }

  /// Waits for the result; must be called once, and not on the main thread.
  func wait() throws -> Value {
    done.wait()
    return try result.withLock { result in
      guard let result else { throw CancellationError() }
      return try result.get()
    }
  }
}
