// swift-tools-version: 5.9
import PackageDescription

// What Apple asks of an SDK: the data that it collects.
#if canImport(Darwin)
let privacy: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let unused: [String] = []
#else
let privacy: [Resource] = []
let unused = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "posthorn-client",
    platforms: [.iOS(.v13), .macOS(.v11), .watchOS(.v7), .tvOS(.v13)],
    products: [
        .library(name: "PosthornClient", targets: ["PosthornClient"]),
        .library(name: "JPush", targets: ["JPush"]),
        .library(name: "JPushExtension", targets: ["JPushExtension"]),
    ],
    targets: [
        .target(name: "PosthornClient", exclude: unused, resources: privacy),
        // For iOS; empty elsewhere. An app sees Objective-C's headers, from Swift too; the classes are those of the Swift module behind each.
        .target(name: "JPush", dependencies: ["JPushForApple", "JPushExtension"]),
        .target(name: "JPushExtension", dependencies: ["JPushExtensionForApple"]),
        .target(name: "JPushForApple", dependencies: ["PosthornClient", "JPushExtensionForApple"]),
        .target(name: "JPushExtensionForApple", dependencies: ["PosthornClient"]),
    ]
)
