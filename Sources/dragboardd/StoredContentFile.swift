import DragboardService
import DragboardStore

/// A file of the store's as the service wants it.
final class StoredContentFile: ContentFile {
  let file: StoredFile

  init(_ file: StoredFile) { self.file = file }

  var byteCount: Int { file.byteCount }

  func read(_ body: (UnsafeRawBufferPointer) -> Bool) throws(RepositoryError) {
    do throws(StoreError) { try file.read(body) } catch { throw RepositoryError(error) }
  }

  func open() throws(RepositoryError) -> Int32 {
    do throws(StoreError) { return try file.open() } catch { throw RepositoryError(error) }
  }

  func copy() throws(RepositoryError) -> Int32 {
    do throws(StoreError) { return try file.copy() } catch { throw RepositoryError(error) }
  }

  func sync() throws(RepositoryError) {
    do throws(StoreError) { try file.sync() } catch { throw RepositoryError(error) }
  }
}

/// A file of the store's that is being written, as the service wants it.
final class StoredContentSpool: ContentSpool {
  private let writer: ContentWriter

  init(_ writer: ContentWriter) { self.writer = writer }

  func append(_ bytes: UnsafeRawBufferPointer) throws(RepositoryError) {
    do throws(StoreError) { try writer.append(bytes) } catch { throw RepositoryError(error) }
  }

  func finish() throws(RepositoryError) -> any ContentFile {
    do throws(StoreError) { return StoredContentFile(try writer.finish()) } catch {
      throw RepositoryError(error)
    }
  }
}
