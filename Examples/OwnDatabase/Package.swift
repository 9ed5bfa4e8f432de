// swift-tools-version: 6.2
import PackageDescription

// Whether a database of one's own, which speaks PostgreSQL's protocol, can be the store of Posthorn. The URL is that of a server on which
// the user may create databases:
//
//     POSTGRES_URL='postgres://posthorn@db.example.com/postgres' swift test
let package = Package(
    name: "OwnDatabase",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "posthorn", path: "../..")],
    targets: [
        .testTarget(
            name: "OwnDatabaseTests",
            dependencies: [.product(name: "PushStoreConformance", package: "posthorn")]
        )
    ]
)
