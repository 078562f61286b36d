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

/// The desktop programs, a separate package: see `README.md`.
let package = Package(
  name: "dragboard-desktop",
  products: [
    .executable(name: "dragboard-clipboard", targets: ["dragboard-clipboard"]),
    .executable(name: "dragboard-shelf", targets: ["dragboard-shelf"]),
  ],
  dependencies: [
    .package(name: "dragboard", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CGtk4", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    .systemLibrary(name: "CGettext"),
    .target(
      name: "CShelf", dependencies: ["CGtk4"],
      linkerSettings: [.linkedLibrary("X11"), .linkedLibrary("Xext")]),
    .target(
      name: "ShelfModel",
      dependencies: [
        "CGettext", .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Text", package: "dragboard"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "dragboard-shelf",
      dependencies: [
        "CGtk4", "CShelf", "CXcb", "ClipboardModel", "ShelfModel",
        .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "Journal", package: "dragboard"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Resources")],
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .systemLibrary(
      name: "CXcb",
      providers: [.apt(["libxcb-res0-dev", "libxcb-xfixes0-dev", "libxcb-xtest0-dev"])]),
    .target(name: "CDataControl", linkerSettings: [.linkedLibrary("wayland-client")]),
    .target(
      name: "ClipboardModel",
      dependencies: [
        .product(name: "DragModel", package: "dragboard"),
        .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "dragboard-clipboard",
      dependencies: [
        "CDataControl", "CXcb", "ClipboardModel",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Callers", package: "dragboard"),
        .product(name: "DBus", package: "dragboard"),
        .product(name: "DragModel", package: "dragboard"),
        .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "DragboardInterface", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "Journal", package: "dragboard"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Interfaces"], swiftSettings: strict),
    .executableTarget(
      name: "clipboard-peer", dependencies: ["CDataControl"], path: "Tests/ClipboardPeer",
      exclude: ["focus-peer", "mutter-mock", "mutter-peer", "toolkit-peer"],
      linkerSettings: [.linkedLibrary("X11"), .linkedLibrary("Xfixes")]),
    .executableTarget(
      name: "drag-peer", dependencies: ["CGtk4"], path: "Tests/DragPeer"),
    .executableTarget(
      name: "ext-compositor", path: "Tests/ExtCompositor",
      linkerSettings: [.linkedLibrary("wayland-server")]),
    .executableTarget(
      name: "virtual-pointer", path: "Tests/VirtualPointer",
      linkerSettings: [.linkedLibrary("wayland-client")]),
    .testTarget(
      name: "ClipboardModelTests",
      dependencies: ["ClipboardModel", .product(name: "TestSupport", package: "dragboard")],
      swiftSettings: strict),
    .testTarget(
      name: "ClipboardTests",
      dependencies: [
        "clipboard-peer", "dragboard-clipboard", "ext-compositor",
        .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "TestSupport", package: "dragboard"),
        .product(name: "Text", package: "dragboard"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ShelfModelTests",
      dependencies: ["ShelfModel", .product(name: "DragboardClient", package: "dragboard")],
      swiftSettings: strict),
    .testTarget(
      name: "ShelfTests",
      dependencies: [
        "drag-peer", "dragboard-shelf", "virtual-pointer",
        .product(name: "DragboardClient", package: "dragboard"),
        .product(name: "Files", package: "dragboard"),
        .product(name: "TestSupport", package: "dragboard"),
        .product(name: "Text", package: "dragboard"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
