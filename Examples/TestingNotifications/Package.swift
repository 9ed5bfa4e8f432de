// swift-tools-version: 6.2
import PackageDescription

// An app's notification code, tested on Linux: swift test.
//
// On a Mac the same sources import Apple's own frameworks, and the products of posthorn with their names are empty. The app's code is
// built for iOS there, in this folder:
//
//     xcodebuild build -scheme Reminders -destination 'generic/platform=iOS'
//
// JPush's SDK comes from its own package or pod; without it, the code in `#if canImport(JPush)` is left out. The tests need the
// emulated phone: on a Mac the test target has one test, which is skipped and says so.
#if canImport(Darwin)
let tests = "Tests/OnMac"
#else
let tests = "Tests/RemindersTests"
#endif

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
            ],
            path: tests
        ),
    ]
)
