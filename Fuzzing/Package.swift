// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since an executable without `main` breaks ordinary linking, and of few dependencies, so that it is
// built quickly: Sources links to the parsers alone. Fuzzing/run builds and runs it. NIO and BoringSSL stay out, which take
// minutes to build: the sockets around a link's frames and the ciphers of a PKCS#12 bundle are not fuzzed here.

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
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4")
    ],
    targets: [
        .target(name: "APNSTransport", dependencies: ["NetworkSupport"], swiftSettings: settings),
        .target(name: "CWords", exclude: ["Chinese", "English", "Languages"]),
        .target(name: "PushModel", dependencies: ["CWords"], swiftSettings: settings),
        .target(
            name: "NetworkSupport",
            dependencies: [.product(name: "SwiftASN1", package: "swift-asn1")],
            swiftSettings: settings
        ),
        .target(name: "PushClock", swiftSettings: settings),
        .target(name: "DeviceLink", dependencies: ["PushClock", "PushModel"], swiftSettings: settings),
        .target(name: "PushAPI", swiftSettings: settings),
        .target(name: "PushService", dependencies: ["DeviceLink", "PushModel"], swiftSettings: settings),
        .target(
            name: "APNSProvider",
            dependencies: ["NetworkSupport", "PushModel", .product(name: "SwiftASN1", package: "swift-asn1")],
            swiftSettings: settings
        ),
        .target(
            name: "APNSGateway",
            dependencies: ["DeviceLink", "PushModel"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "APNSTransport", "APNSGateway", "APNSProvider", "DeviceLink", "NetworkSupport", "PushAPI", "PushModel",
                "PushService",
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: settings
        ),
    ]
)
