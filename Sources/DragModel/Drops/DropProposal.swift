public import BoardModel

/// The outcome of a drop at a position of a board, before it is performed.
public struct DropProposal: Hashable, Sendable {
  /// The operation.
  public let operation: DropOperation
  /// The position of the first item after the drop.
  public let destination: IndexPath

  /// Creates a proposal.
  public init(operation: DropOperation, destination: IndexPath) {
    self.operation = operation
    self.destination = destination
  }

  /// The intent, which follows from the operation.
  public var intent: DropIntent {
    switch operation {
    case .copy, .move: .insertAtDestination
    case .cancel, .forbidden: .unspecified
    }
  }
}
