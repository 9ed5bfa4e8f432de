// swift-tools-version: 6.2
import PackageDescription

// An app's notification code, tested on Linux. On Apple platforms the same sources import the system's own frameworks.
let package = Package(
    name: "TestingNotifications",
    products: [.library(name: "Reminders", targets: ["Reminders"])],
    dependencies: [.package(name: "posthorn", path: "../..")],
    targets: [
        .target(
            name: "Reminders",
            dependencies: [
                .product(name: "UIKit", package: "posthorn"), .product(name: "UserNotifications", package: "posthorn"),
            ]
        ),
        .testTarget(
            name: "RemindersTests",
            dependencies: ["Reminders", .product(name: "PosthornTesting", package: "posthorn")]
        ),
    ]
)
