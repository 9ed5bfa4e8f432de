// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "posthorn-client",
    platforms: [.iOS(.v13), .macOS(.v11), .watchOS(.v7), .tvOS(.v13)],
    products: [
        .library(name: "PosthornClient", targets: ["PosthornClient"]),
        .library(name: "JPush", targets: ["JPush"]),
    ],
    targets: [
        .target(name: "PosthornClient"),
        // For iOS; empty elsewhere.
        .target(name: "JPush", dependencies: ["PosthornClient"]),
    ]
)
