import DragModel

/// What a representation holds, as the service can have it.
protocol LoadableContent: RepresentationContent {
  /// All of its bytes.
  func bytes() throws(RepositoryError) -> [UInt8]
}
