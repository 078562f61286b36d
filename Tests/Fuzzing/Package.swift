// swift-tools-version: 6.2

import PackageDescription

/// The programs of `Tests/Fuzzing/run`: one libFuzzer program for each target of
/// `Tests/FuzzTargets`.
let targets = [
  "FuzzTypes", "FuzzBoard", "FuzzHistory", "FuzzSession", "FuzzMessage", "FuzzStore",
]

let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "dragboard", path: "../..")],
  targets: targets.map { name in
    .executableTarget(
      name: name, dependencies: [.product(name: "FuzzTargets", package: "dragboard")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  },
  swiftLanguageModes: [.v6]
)
