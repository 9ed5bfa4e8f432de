// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody builds it unasked: swift run -c release --package-path Benchmarks CalendarFirings
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "posthorn", path: "..")],
    targets: [
        .executableTarget(name: "CalendarFirings", dependencies: [.product(name: "PushClock", package: "posthorn")]),
        .executableTarget(
            name: "ManyDevices",
            dependencies: [
                .product(name: "PosthornTesting", package: "posthorn"), .product(name: "UIKit", package: "posthorn"),
                .product(name: "UserNotifications", package: "posthorn"),
            ]
        ),
    ]
)
