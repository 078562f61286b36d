extension UndoStep {
  /// Decodes the binary encoding; rejects all other bytes.
  ///
  /// Checks codes, numbers, names and the end, but not whether the step fits a board. O(size).
  public init(bytes: [UInt8]) throws(HistoryDamage) {
    var reader = try HistoryReader(bytes, version: Self.encodingVersion)
    var operations: [Operation] = []
    while !reader.isAtEnd { operations.append(try reader.readOperation()) }
    guard !operations.isEmpty else { throw .empty }
    self.init(operations: operations)
  }
}

extension HistoryReader {
  fileprivate mutating func readOperation() throws(HistoryDamage) -> UndoStep.Operation {
    let byte = try readByte()
    guard let code = UndoStep.Code(rawValue: byte) else {
      throw .unknownOperation(byte, offset: offset - 1)
    }
    switch code {
    case .insert:
      let path = try readPath()
      return .insert(try readEntries(), at: path)
    case .put:
      let path = try readPath()
      return .put(try readEntries(), at: path)
    case .delete:
      let path = try readPath()
      return .delete(try readNumber(), at: path)
    case .lift:
      let path = try readPath()
      return .lift(try readNumber(), at: path)
    case .move: return .move(from: try readPath(), to: try readPath())
    case .setFlags: return .setFlags(try readFlags(), of: try readRow())
    case .exchangeContent: return .exchangeContent(of: try readRow())
    case .insertSection:
      let index = try readNumber()
      return .insertSection(try readName(), at: index)
    case .deleteSection: return .deleteSection(at: try readNumber())
    case .moveSection: return .moveSection(from: try readNumber(), to: try readNumber())
    case .renameSection:
      let index = try readNumber()
      return .renameSection(to: try readName(), at: index)
    case .changeRetention:
      return .changeRetention(
        RetentionChange(from: try readRetentionLimits(), to: try readRetentionLimits()))
    case .others:
      var operations: [UndoStep.Operation] = []
      for _ in 0..<(try readNumber()) {
        let operation = try readOperation()
        if case .others = operation { throw .unknownOperation(byte, offset: offset - 1) }
        operations.append(operation)
      }
      return .others(operations)
    }
  }

  private mutating func readRetentionLimits() throws(HistoryDamage) -> RetentionLimits {
    RetentionLimits(rows: try readUInt32(), seconds: try readUInt32())
  }
}
