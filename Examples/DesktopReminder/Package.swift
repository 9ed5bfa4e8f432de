// swift-tools-version: 6.2
import PackageDescription

// A program that reminds on the Linux desktop: swift run remind 10m "Tea"
//
// The trait makes the desktop the system behind UserNotifications. Without it the program builds too, and shows nothing.
let package = Package(
    name: "DesktopReminder",
    dependencies: [.package(name: "posthorn", path: "../..", traits: ["Desktop"])],
    targets: [
        .executableTarget(name: "remind", dependencies: [.product(name: "UserNotifications", package: "posthorn")])
    ]
)
