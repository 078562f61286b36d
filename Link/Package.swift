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
  dependencies: [.package(name: "dragboard", path: "..")],
  targets: [
    .target(
      name: "LinkModel",
      dependencies: [
        .product(name: "BoardModel", package: "dragboard"),
        .product(name: "DragModel", package: "dragboard"),
      ],
      swiftSettings: strict),
    .target(
      name: "LinkReplica",
      dependencies: [
        "LinkModel", .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LinkModelTests",
      dependencies: ["LinkModel", .product(name: "BoardModel", package: "dragboard")],
      swiftSettings: strict),
    .testTarget(
      name: "LinkReplicaTests",
      dependencies: [
        "LinkModel", "LinkReplica", .product(name: "DragboardClient", package: "dragboard"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
