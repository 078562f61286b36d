import Foundation
import TestSupport

/// A disk that keeps all durable data, and an arbitrary part of the other data.
///
/// The bytes of a file are durable after a sync of the file, a name after a sync of its directory.
struct SimulatedDisk {
  /// The effect of a power cut on unsynced data.
  enum Loss {
    /// All of the data is lost.
    case all
    /// Nothing is lost.
    case none
    /// Every operation after some moment is lost, and so are some sectors of the write at that
    /// moment.
    case tail
    /// An arbitrary set of writes and names is lost; of some writes, some sectors are lost.
    case some
    /// Every operation before the operation with this number, from 1, is lost; no later operation is
    /// lost.
    case head(Int)

    /// The kinds of loss for a random choice.
    static let any: [Loss] = [.all, .none, .tail, .some]
  }

  private struct File {
    var durable: [UInt8] = []
    /// The pending writes in order.
    var pending: [Edit] = []
  }

  private struct Edit {
    let kind: Kind
    let time: Int

    enum Kind {
      case write(at: Int, [UInt8])
      case truncate(to: Int)
    }
  }

  /// The object to which a name refers.
  private enum Entry {
    case folder
    case file(Int)
  }

  private struct Naming {
    let kind: Kind
    let time: Int

    enum Kind {
      case make(String, Entry)
      case rename(String, String)
      case unlink(String)
    }

    var folder: String {
      switch kind {
      case .make(let path, _), .rename(_, let path), .unlink(let path):
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      }
    }
  }

  private var files: [File] = []
  /// The file that currently has an inode.
  private var inodes: [UInt64: Int] = [:]
  private var names: [String: Entry] = [:]
  private var namings: [Naming] = []
  /// The number of operations so far.
  private(set) var time = 0
}

// MARK: Operations

extension SimulatedDisk {
  mutating func take(_ operation: RecordedOperation) {
    time += 1
    switch operation {
    case .create(let path, let inode):
      inodes[inode] = files.count
      name(.make(path, .file(files.count)))
      files.append(File())
    case .makeFolder(let path): name(.make(path, .folder))
    case .rename(let path, let other): name(.rename(path, other))
    case .unlink(let path): name(.unlink(path))
    case .write(let inode, let offset, let bytes): edit(inode, .write(at: offset, bytes))
    case .truncate(let inode, let size): edit(inode, .truncate(to: size))
    case .sync(let inode): sync(inode)
    case .loseWrites(let inode): lose(inode)
    case .syncNames(let path): syncNames(in: path)
    case .send: break
    }
  }

  private mutating func name(_ kind: Naming.Kind) { namings.append(Naming(kind: kind, time: time)) }

  private mutating func edit(_ inode: UInt64, _ kind: Edit.Kind) {
    if let file = inodes[inode] { files[file].pending.append(Edit(kind: kind, time: time)) }
  }

  private mutating func sync(_ inode: UInt64) {
    guard let file = inodes[inode] else { return }
    for edit in files[file].pending { Self.apply(edit.kind, to: &files[file].durable) }
    files[file].pending = []
  }

  private mutating func lose(_ inode: UInt64) {
    if let file = inodes[inode] { files[file].pending = [] }
  }

  private mutating func syncNames(in folder: String) {
    for naming in namings where naming.folder == folder { Self.apply(naming.kind, to: &names) }
    namings.removeAll { $0.folder == folder }
  }

  private static func apply(_ edit: Edit.Kind, to bytes: inout [UInt8]) {
    switch edit {
    case .truncate(let size):
      if size < bytes.count { bytes.removeLast(bytes.count - size) } else { grow(&bytes, to: size) }
    case .write(let offset, let new):
      grow(&bytes, to: offset + new.count)
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }
  }

  private static func grow(_ bytes: inout [UInt8], to size: Int) {
    if size > bytes.count { bytes.append(contentsOf: repeatElement(0, count: size - bytes.count)) }
  }

  private static func apply(_ naming: Naming.Kind, to names: inout [String: Entry]) {
    switch naming {
    case .make(let path, let entry): names[path] = entry
    case .unlink(let path): names[path] = nil
    case .rename(let path, let other):
      if let entry = names.removeValue(forKey: path) { names[other] = entry }
    }
  }
}

// MARK: Copies of directories

extension SimulatedDisk {
  /// Makes a disk with a durable copy of a directory.
  init(of folder: String) throws {
    self.init()
    take(.makeFolder(path: folder))
    for (path, inode) in try Self.entries(folder) {
      guard let inode else {
        take(.makeFolder(path: path))
        continue
      }
      take(.create(path: path, file: inode))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      take(.write(file: inode, at: 0, Array(bytes)))
    }
    for inode in inodes.keys { sync(inode) }
    for naming in namings { Self.apply(naming.kind, to: &names) }
    namings = []
  }

  /// Adopts the files in a directory, which were rewritten, in place of the files with the same
  /// names.
  mutating func adoptFiles(in folder: String) throws {
    var names = names
    for naming in namings { Self.apply(naming.kind, to: &names) }
    for (path, inode) in try Self.entries(folder) {
      if let inode, case .file(let file)? = names[path] { inodes[inode] = file }
    }
  }

  /// Returns the entries of a directory, directories first, with the inodes of the files.
  private static func entries(_ folder: String) throws -> [(path: String, inode: UInt64?)] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().map { name in
      let path = folder + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      return (path, isFolder ? nil : (attributes[.systemFileNumber] as? NSNumber)?.uint64Value)
    }
  }
}

// MARK: After a power cut

extension SimulatedDisk {
  /// Writes the files of a directory, as they are after a power cut, to another directory.
  func restore(
    _ folder: String, as place: String, _ loss: Loss, _ numbers: inout SplitMix64
  ) throws {
    func placed(_ path: String) -> String { place + path.dropFirst(folder.count) }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let left = afterPowerCut(loss, &numbers)
    for folder in left.folders {
      try FileManager.default.createDirectory(
        atPath: placed(folder), withIntermediateDirectories: true)
    }
    for (path, bytes) in left.files {
      try Data(bytes).write(to: URL(fileURLWithPath: placed(path)))
    }
  }

  /// Returns the directories and files after the power cut, by path.
  func afterPowerCut(
    _ loss: Loss, _ numbers: inout SplitMix64
  ) -> (folders: [String], files: [String: [UInt8]]) {
    let times = namings.map(\.time) + files.flatMap { $0.pending.map(\.time) }
    let end = times.randomElement(using: &numbers) ?? 0
    func isLost(_ when: Int) -> Bool {
      switch loss {
      case .all: true
      case .none: false
      case .tail: when > end
      case .some: Bool.random(using: &numbers)
      case .head(let start): when < start
      }
    }
    var names = names
    for naming in namings where !isLost(naming.time) { Self.apply(naming.kind, to: &names) }
    var contents: [String: [UInt8]] = [:]
    for (path, entry) in names.sorted(by: { $0.key < $1.key }) {
      guard case .file(let file) = entry else { continue }
      var bytes = files[file].durable
      for edit in files[file].pending where !isLost(edit.time) {
        let isTorn =
          switch loss {
          case .all, .none, .head: false
          case .tail: edit.time == end
          case .some: Int.random(in: 0..<4, using: &numbers) == 0
          }
        Self.apply(edit.kind, to: &bytes, torn: isTorn, &numbers)
      }
      contents[path] = bytes
    }
    let folders = names.compactMap { path, entry in if case .folder = entry { path } else { nil } }
    return (folders.sorted(), contents)
  }

  /// Applies a write, or some of its sectors.
  private static func apply(
    _ edit: Edit.Kind, to bytes: inout [UInt8], torn: Bool, _ numbers: inout SplitMix64
  ) {
    guard torn, case .write(let offset, let new) = edit else { return apply(edit, to: &bytes) }
    let sector = 512
    var start = offset
    while start < offset + new.count {
      let end = min(offset + new.count, (start / sector + 1) * sector)
      if Bool.random(using: &numbers) {
        apply(.write(at: start, Array(new[start - offset..<end - offset])), to: &bytes)
      }
      start = end
    }
  }
}
