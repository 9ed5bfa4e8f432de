// swift-tools-version: 6.2
import PackageDescription

// An app's notification code, tested on Linux. On Apple platforms the same sources import the system's own frameworks, and JPush
// comes from its own package.
let package = Package(
    name: "TestingNotifications",
    products: [.library(name: "Reminders", targets: ["Reminders"])],
    dependencies: [.package(name: "posthorn", path: "../..")],
    targets: [
        .target(
            name: "Reminders",
            dependencies: [
                .product(name: "UIKit", package: "posthorn"), .product(name: "UserNotifications", package: "posthorn"),
                .product(name: "CoreLocation", package: "posthorn"), .product(name: "JPush", package: "posthorn"),
            ]
        ),
        .testTarget(
            name: "RemindersTests",
            dependencies: [
                "Reminders", .product(name: "PosthornTesting", package: "posthorn"),
                .product(name: "PosthornMatrix", package: "posthorn"),
            ]
        ),
    ]
)
