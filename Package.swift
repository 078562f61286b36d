// swift-tools-version: 6.2

import PackageDescription

/// The compiler settings of all Swift modules.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "dragboard",
  products: [
    .executable(name: "dragboardd", targets: ["dragboardd"]),
    .executable(name: "dragboard", targets: ["dragboard"]),
    .library(name: "Text", targets: ["Text"]),
    .library(name: "Files", targets: ["Files"]),
    .library(name: "DBus", targets: ["DBus"]),
    .library(name: "Callers", targets: ["Callers"]),
    .library(name: "DragboardInterface", targets: ["DragboardInterface"]),
    .library(name: "DragboardClient", targets: ["DragboardClient"]),
    .library(name: "Journal", targets: ["Journal"]),
    .library(name: "LinkArguments", targets: ["LinkArguments"]),
    .library(name: "BoardModel", targets: ["BoardModel"]),
    .library(name: "DragModel", targets: ["DragModel"]),
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    .library(name: "SQLite", targets: ["SQLite"]),
    .library(name: "TestSupport", targets: ["TestSupport"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    .target(name: "CLinux"),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "Text", swiftSettings: strict),
    .target(name: "Files", dependencies: ["CLinux", "Text"], swiftSettings: strict),
    .target(
      name: "Journal", dependencies: ["Files", .product(name: "Logging", package: "swift-log")],
      swiftSettings: strict),
    .target(name: "DBus", dependencies: ["CDBus", "CLinux", "Files"], swiftSettings: strict),
    .target(name: "BoardModel", dependencies: ["Text"], swiftSettings: strict),
    .target(name: "DragModel", dependencies: ["BoardModel", "Text"], swiftSettings: strict),
    .target(
      name: "Callers", dependencies: ["CLinux", "DBus", "DragModel", "Files"],
      swiftSettings: strict),
    .target(
      name: "DragboardStore",
      dependencies: [
        "BoardModel", "CLinux", "CSQLite", "CUTF8Proc", "CXXHash", "DragModel", "Files", "SQLite",
      ],
      swiftSettings: strict),
    .target(
      name: "DragboardRecovery",
      dependencies: ["BoardModel", "DragModel", "DragboardStore", "Files", "SQLite"],
      swiftSettings: strict),
    .target(
      name: "DragboardInterface", dependencies: ["DBus", "Files", "Text"], exclude: ["Interfaces"],
      swiftSettings: strict),
    .target(
      name: "DragboardService",
      dependencies: [
        "BoardModel", "CLinux", "Callers", "DBus", "DragModel", "DragboardInterface",
        "DragboardStore", "Files", "Text", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "DragboardClient",
      dependencies: ["CLinux", "DBus", "DragboardInterface", "Files", "Text"],
      swiftSettings: strict),
    .executableTarget(
      name: "dragboardd",
      dependencies: [
        "CLinux", "DBus", "DragboardInterface", "DragboardRecovery", "DragboardService",
        "DragboardStore", "Files", "Journal", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "LinkArguments",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    .executableTarget(
      name: "dragboard",
      dependencies: [
        "CLinux", "DBus", "DragboardClient", "DragboardInterface", "Files", "LinkArguments", "Text",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "example-promise", dependencies: ["DragboardClient"], path: "Examples/swift/promise",
      swiftSettings: strict),
    .executableTarget(
      name: "example-accept", dependencies: ["DragboardClient"], path: "Examples/swift/accept",
      swiftSettings: strict),
    .executableTarget(
      name: "example-watch", dependencies: ["DragboardClient"], path: "Examples/swift/watch",
      swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: [
        "BoardModel", "DBus", "DragModel", "DragboardInterface", "DragboardRecovery",
        "DragboardStore", "Files",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "BoardModel", "CSQLite", "DBus", "DragModel", "DragboardRecovery", "DragboardStore",
        "Files",
      ],
      path: "Tests/FuzzTargets", swiftSettings: strict),
    .testTarget(
      name: "FuzzingTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "TextTests", dependencies: ["Text"], swiftSettings: strict),
    .testTarget(
      name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DBusTests", dependencies: ["DBus", "Files", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "BoardModelTests", dependencies: ["BoardModel", "FuzzTargets", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DragModelTests", dependencies: ["DragModel", "TestSupport", "Text"],
      swiftSettings: strict),
    .testTarget(
      name: "DragboardStoreTests",
      dependencies: [
        "BoardModel", "DragModel", "DragboardRecovery", "DragboardStore", "Files", "SQLite",
        "TestSupport",
      ],
      exclude: ["Samples"],
      swiftSettings: strict),
    .testTarget(
      name: "DragboardRecoveryTests",
      dependencies: [
        "BoardModel", "DragModel", "DragboardRecovery", "DragboardStore", "Files", "SQLite",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DragboardServiceTests",
      dependencies: [
        "DragboardService", "DragboardInterface", "DBus", "BoardModel", "CLinux", "Callers",
        "DragModel", "Files", "TestSupport", "DragboardRecovery", "DragboardStore", "SQLite",
        "dragboard",
        "dragboardd",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Shims"],
      swiftSettings: strict),
    .testTarget(
      name: "DragboardClientTests",
      dependencies: ["DragboardClient", "Files", "TestSupport", "dragboardd"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: ["DragboardClient", "TestSupport", "dragboard", "dragboardd"],
      exclude: ["Golden", "Shells"],
      swiftSettings: strict),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "DBus", "DragboardInterface", "TestSupport", "dragboard", "dragboardd", "example-accept",
        "example-promise", "example-watch",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PackagingTests",
      dependencies: ["DragboardInterface", "TestSupport", "dragboard", "dragboardd"],
      exclude: ["Manager"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
