// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "posthorn-fixtures",
    platforms: [.macOS(.v13)],
    products: [.library(name: "PosthornFixtures", targets: ["PosthornFixtures"])],
    targets: [.target(name: "PosthornFixtures")]
)
