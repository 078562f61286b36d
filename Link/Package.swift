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

/// One board on several machines, a separate package: see `README.md`.
let package = Package(
  name: "dragboard-link",
  products: [
    .executable(name: "dragboard-link", targets: ["dragboard-link"])
  ],
  dependencies: [
    .package(name: "dragboard", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .target(
      name: "LinkModel",
      dependencies: [
        "CSodium",
        .product(name: "BoardModel", package: "dragboard"),
        .product(name: "DragModel", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "Text", package: "dragboard"),
      ],
      swiftSettings: strict),
    .target(
      name: "LinkState",
      dependencies: [
        "LinkModel", .product(name: "Files", package: "dragboard"),
        .product(name: "SQLite", package: "dragboard"),
        .product(name: "Text", package: "dragboard"),
      ],
      swiftSettings: strict),
    .target(
      name: "LinkReplica",
      dependencies: [
        "LinkModel", "LinkState", .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "SQLite", package: "dragboard"),
      ],
      swiftSettings: strict),
    .target(
      name: "LinkDrags",
      dependencies: [
        "LinkModel", .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
      ],
      swiftSettings: strict),
    .target(
      name: "LinkEngine",
      dependencies: [
        "CNATS", "CSodium", "LinkModel", "LinkState",
        .product(name: "Files", package: "dragboard"),
        .product(name: "Journal", package: "dragboard"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SQLite", package: "dragboard"),
        .product(name: "Text", package: "dragboard"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "dragboard-link",
      dependencies: [
        "LinkDrags", "LinkEngine", "LinkModel", "LinkReplica", "LinkState",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "LinkArguments", package: "dragboard"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Text", package: "dragboard"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LinkModelTests",
      dependencies: [
        "LinkModel", .product(name: "BoardModel", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "TestSupport", package: "dragboard"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LinkReplicaTests",
      dependencies: [
        "LinkModel", "LinkReplica", "LinkState",
        .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "SQLite", package: "dragboard"),
        .product(name: "TestSupport", package: "dragboard"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LinkEngineTests",
      dependencies: [
        "LinkDrags", "LinkEngine", "LinkModel", "LinkReplica", "LinkState", "dragboard-link",
        .product(name: "BoardModel", package: "dragboard"),
        .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "SQLite", package: "dragboard"),
        .product(name: "TestSupport", package: "dragboard"),
        .product(name: "Text", package: "dragboard"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
