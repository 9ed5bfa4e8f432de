// swift-tools-version: 6.2
import PackageDescription

// An engine of one's own behind the frameworks, and its test: the contract of the port.
let package = Package(
    name: "OwnEngine",
    dependencies: [.package(name: "posthorn", path: "../..")],
    targets: [
        .target(name: "MemoryEngine", dependencies: [.product(name: "SystemPort", package: "posthorn")]),
        .testTarget(
            name: "MemoryEngineTests",
            dependencies: ["MemoryEngine", .product(name: "SystemPortConformance", package: "posthorn")]
        ),
    ]
)
