// swift-tools-version: 6.2

import PackageDescription

/// Targets of libFuzzer; `Tests/Fuzzing/run` builds and runs them.
let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "dragboard", path: "../..")],
  targets: [
    .target(name: "FuzzInput"),
    .executableTarget(
      name: "FuzzTypes", dependencies: [.product(name: "DragModel", package: "dragboard")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "FuzzBoard",
      dependencies: ["FuzzInput", .product(name: "BoardModel", package: "dragboard")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "FuzzHistory",
      dependencies: [.product(name: "BoardModel", package: "dragboard")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
  ],
  swiftLanguageModes: [.v6]
)
