// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Push",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "posthorn", path: "../../..")],
    targets: [
        .executableTarget(name: "Push", dependencies: [.product(name: "APNSProvider", package: "posthorn")])
    ]
)
