import BoardModel
import DBus
import DragModel

/// Insertion of many rows: contents are stored a few at a time, with others' calls in between, and
/// the rows are inserted by one edit.
extension BoardObject {
  /// More texts, or more bytes, are stored in steps; fewer are stored at once, in some 30 ms.
  private static let maxCountAtOnce = 10_000
  private static let maxBytesAtOnce = 4 << 20
  /// How long one step may store contents.
  private static let stepOfMany = Duration.milliseconds(1)

  /// Whether contents are stored in steps.
  func areMany(_ contents: [IncomingContent]) -> Bool {
    contents.count > Self.maxCountAtOnce
      || (contents.count > 1 && contents.reduce(0) { $0 + $1.byteCount } > Self.maxBytesAtOnce)
  }

  /// Inserts rows of those contents when the caller's earlier work has ended; the place is kept
  /// meanwhile.
  func insertMany(
    _ contents: [IncomingContent], at path: IndexPath, _ call: Call,
    then: @escaping (Result<[String], DBusError>) -> Void
  ) throws(DBusError) {
    let place = PendingInsertion(at: path)
    let (fate, access) = (service.batch.fate(), call.access)
    let bytes = contents.reduce(0) { $0 + $1.byteCountInMemory }
    try service.clientWork.perform(for: call.sender, bytes: bytes) { [self] end in
      prepare(contents) { [self] prepared in
        stage(prepared, by: access.source) { [self] stage in
          end()
          giveUp(place)
          let result = Result { () throws(DBusError) in
            guard !fate.isTakenBack else { throw .takenBack }
            try checkExists()
            return try insert(try stage.get(), at: place.path).map(service.ids.id)
          }
          // What was stored for nothing goes.
          if case .failure = result { service.purgeLater() }
          then(result)
        }
      }
    }
    keep(place)
  }

  /// Makes contents ready to be stored, off the loop.
  private func prepare(
    _ contents: [IncomingContent],
    then: @escaping (Result<[RowContent.Representation], DBusError>) -> Void
  ) {
    let (most, makeFile) = (
      service.limits.maxRepresentationBytes, service.repository.makeSpool
    )
    service.work {
      Result { () throws(DBusError) -> [RowContent.Representation] in
        var prepared: [RowContent.Representation] = []
        prepared.reserveCapacity(contents.count)
        for content in contents {
          if let ready = content.ready {
            prepared.append(ready)
          } else {
            prepared.append(try content.prepared(most: most, makeFile: makeFile))
          }
        }
        return prepared
      }
    } then: {
      then($0)
    }
  }

  /// Stores contents as those of rows that no board has yet.
  private func stage(
    _ prepared: Result<[RowContent.Representation], DBusError>, by source: String,
    then: @escaping (Result<any RowStage, DBusError>) -> Void
  ) {
    do throws(DBusError) {
      let (contents, now) = (try prepared.get(), service.now())
      _ = Staging(of: contents.count, in: service, step: Self.stepOfMany) {
        RowContent(inserted: contents[$0], by: source, at: now)
      } onEnd: {
        then($0)
      }
    } catch { then(.failure(error)) }
  }
}
