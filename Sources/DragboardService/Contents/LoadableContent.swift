import DragModel

/// What a representation holds that is there already.
protocol LoadableContent: RepresentationContent {
  /// The bytes, wherever they rest.
  func bytes() throws(RepositoryError) -> Bytes
}
