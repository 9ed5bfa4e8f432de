// swift-tools-version: 6.0
import Foundation
import PackageDescription

// The helpers are a folder of Posthorn, Fixtures/swift. Copy it beside your package.
let fixtures = ProcessInfo.processInfo.environment["POSTHORN_FIXTURES"] ?? "PosthornFixtures"

let package = Package(
    name: "Backend",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(name: "posthorn-fixtures", path: fixtures),
    ],
    targets: [
        .target(name: "Backend", dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")]),
        .testTarget(
            name: "BackendTests",
            dependencies: ["Backend", .product(name: "PosthornFixtures", package: "posthorn-fixtures")]
        ),
    ]
)
