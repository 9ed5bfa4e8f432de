// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that it is built only on demand: swift run -c release --package-path Benchmarks CalendarFirings
// The provider client against an independent server.
let provider: [Target.Dependency] = [
    "Peer", .product(name: "APNSProvider", package: "posthorn"),
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP2", package: "swift-nio-http2"), .product(name: "Crypto", package: "swift-crypto"),
]

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "posthorn", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    ],
    targets: [
        .target(
            name: "Peer",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"), .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ]
        ),
        .executableTarget(name: "GoAwayStorm", dependencies: provider),
        .executableTarget(name: "StalledGateway", dependencies: provider),
        .executableTarget(name: "CalendarFirings", dependencies: [.product(name: "PushClock", package: "posthorn")]),
        .executableTarget(
            name: "ManyDevices",
            dependencies: [
                .product(name: "PosthornTesting", package: "posthorn"), .product(name: "UIKit", package: "posthorn"),
                .product(name: "UserNotifications", package: "posthorn"),
            ]
        ),
        .executableTarget(
            name: "ManyClients",
            dependencies: [
                .product(name: "PosthornTesting", package: "posthorn"), .product(name: "UIKit", package: "posthorn"),
                .product(name: "JPush", package: "posthorn"),
            ]
        ),
    ]
)
