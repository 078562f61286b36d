public import BoardModel

/// What a drop at a place of a board would do.
public struct DropProposal: Hashable, Sendable {
  /// What would be done.
  public let operation: DropOperation
  /// Where the first item would stand afterwards.
  public let destination: IndexPath

  /// Creates a proposal.
  public init(operation: DropOperation, destination: IndexPath) {
    self.operation = operation
    self.destination = destination
  }

  /// How it would be done; follows from the operation.
  public var intent: DropIntent {
    switch operation {
    case .copy, .move: .insertAtDestination
    case .cancel, .forbidden: .unspecified
    }
  }
}
