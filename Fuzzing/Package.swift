// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since an executable without `main` breaks ordinary linking, and of few dependencies, so that it is
// built quickly: Sources links to the parsers alone. Fuzzing/run builds and runs it.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // The decoder and the encoder are internal.
    .unsafeFlags(["-enable-testing"]),
]

let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "APNSTransport", swiftSettings: settings),
        .target(name: "PushModel", swiftSettings: settings),
        .target(
            name: "APNSGateway",
            dependencies: ["PushModel"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "APNSTransport", "APNSGateway", "PushModel",
            ],
            swiftSettings: settings
        ),
    ]
)
