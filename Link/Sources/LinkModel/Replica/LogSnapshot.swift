/// The result of all entries of a log, with which its successor begins.
public struct LogSnapshot: Equatable, Sendable {
  /// A machine's last batch in the log.
  struct LastBatch: Equatable, Sendable {
    let number: UInt64
    /// The number and the hash of its edits.
    let (editCount, edits): (Int, ContentHash)

    init(_ batch: EditBatch) {
      (number, editCount) = (batch.number, batch.edits.count)
      edits = Self.hash(of: batch.edits[...])
    }

    fileprivate init(number: UInt64, editCount: Int, edits: ContentHash) {
      (self.number, self.editCount, self.edits) = (number, editCount, edits)
    }

    /// Whether pending edits begin with the edits of this batch.
    func begins(_ pending: [SharedEdit]) -> Bool {
      pending.count >= editCount && Self.hash(of: pending.prefix(editCount)) == edits
    }

    private static func hash(of edits: ArraySlice<SharedEdit>) -> ContentHash {
      var writer = ByteWriter()
      for edit in edits { writer.write(edit) }
      return ContentHash(of: writer.bytes)
    }
  }

  /// The hash of the board; see `Replica.checkpoint`.
  let checkpoint: ContentHash
  /// The board.
  let board: SharedBoard
  /// For each machine, its last batch.
  let batches: [MachineKey: LastBatch]
  /// The latest rows and contents that the board no longer has.
  let history: [UInt64]

  init(_ board: SharedBoard, batches: [MachineKey: LastBatch], history: [UInt64]) {
    checkpoint = board.checkpoint
    (self.board, self.batches, self.history) = (board, batches, history)
  }

  /// The binary encoding, which begins with the hash of the board.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(fixed: checkpoint.bytes)
    writer.write(board)
    writer.write(batches.count)
    for (machine, batch) in batches.sorted(by: { $0.key < $1.key }) {
      writer.write(machine)
      writer.write(batch.number)
      writer.write(batch.editCount)
      writer.write(fixed: batch.edits.bytes)
    }
    writer.write(history.count)
    for print in history { writer.write(fixed: withUnsafeBytes(of: print.bigEndian, Array.init)) }
    return writer.bytes
  }

  /// Returns the hash of the board of an encoded snapshot; nil if the bytes are too short.
  static func checkpoint(of bytes: ArraySlice<UInt8>) -> ContentHash? {
    ContentHash(bytes: Array(bytes.prefix(ContentHash.byteCount)))
  }

  /// Decodes a snapshot.
  init(bytes: [UInt8]) throws(EncodingDamage) {
    var reader = ByteReader(bytes)
    let hash = ContentHash(bytes: try reader.read(fixed: ContentHash.byteCount))
    board = try reader.readBoard()
    checkpoint = board.checkpoint
    guard hash == checkpoint else { throw .invalid }
    var batches: [MachineKey: LastBatch] = [:]
    for _ in 0..<(try reader.readCount(ofSize: 18 + ContentHash.byteCount)) {
      let machine: MachineKey = try reader.readKey()
      let (number, count) = (try reader.readNumber(), Int(clamping: try reader.readNumber()))
      guard let edits = ContentHash(bytes: try reader.read(fixed: ContentHash.byteCount)) else {
        throw .invalid
      }
      batches[machine] = LastBatch(number: number, editCount: count, edits: edits)
    }
    self.batches = batches
    var history: [UInt64] = []
    for _ in 0..<(try reader.readCount(ofSize: 8)) {
      history.append(try reader.read(fixed: 8).reduce(0) { $0 << 8 | UInt64($1) })
    }
    self.history = history
    try reader.finish()
  }
}

extension SharedBoard {
  /// The number of bytes of the encoded board.
  var byteCount: Int {
    var count = 0
    forEachPiece { count += $0.count }
    return count
  }

  /// The hash of the board, which all machines with the same entries have.
  var checkpoint: ContentHash {
    let hasher = ContentHasher()
    forEachPiece { piece in piece.withUnsafeBytes { hasher.update($0) } }
    return hasher.finish()
  }
}
