// swift-tools-version: 6.2
import PackageDescription

// The folders of Sources/ form layers, listed from top to bottom: imports only point up this list. Tests/LayoutTests checks it.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// JPush for both systems compiles the same files, in which a name stands for a type of another module on each.
func shared(strictly: Bool = false) -> [SwiftSetting] {
    [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
        + (strictly ? [.enableUpcomingFeature("InternalImportsByDefault"), .strictMemorySafety()] : [])
}

func module(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: strict)
}

// The client for apps also stands in a package of its own, for older compilers: Scripts/release writes it.
let portableSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func tests(_ name: String, _ dependencies: [Target.Dependency], besides excluded: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        path: "Tests/\(name)",
        exclude: excluded,
        swiftSettings: strict
    )
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let metricsTestKit = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let inMemoryTracing = Target.Dependency.product(name: "InMemoryTracing", package: "swift-distributed-tracing")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")

// On all platforms: the model, the links, APNs and the service.
var targets: [Target] = [
    // Sentences, as bytes in the binary.
    .target(
        name: "CWords",
        path: "Sources/Model/CWords",
        exclude: [
            "Chinese/journeys.json", "Chinese/refusals.json", "Chinese/remarks.json", "Chinese/verdicts.json",
            "English/journeys.json", "English/metrics.json", "English/refusals.json", "English/remarks.json",
            "English/verdicts.json", "Languages/diagnosis.json",
        ]
    ),
    module("PushModel", in: "Sources/Model", ["CWords"]),
    module("PushClock", in: "Sources/Model"),
    module("DeviceLink", in: "Sources/Link", ["PushModel", "PushClock"]),
    module(
        "NetworkSupport",
        in: "Sources/Link",
        [
            "PushModel", nioSSL, crypto, .product(name: "SwiftASN1", package: "swift-asn1"),
        ] + nio
    ),
    module(
        "DeviceLinkNIO",
        in: "Sources/Link",
        ["PushModel", "DeviceLink", "NetworkSupport", nioHTTP1, nioWebSocket, nioSSL] + nio
    ),
    module(
        "APNSTransport",
        in: "Sources/APNs",
        ["PushClock", "NetworkSupport", nioSSL, .product(name: "DequeModule", package: "swift-collections")] + nio
    ),
    module(
        "APNSProvider",
        in: "Sources/APNs",
        [
            "PushModel", "PushClock", "NetworkSupport", "APNSTransport", crypto, nioSSL, log, metrics, lifecycle,
            .product(name: "SwiftASN1", package: "swift-asn1"),
        ] + nio
    ),
    module(
        "AppleDeveloper",
        in: "Sources/APNs",
        [
            "PushModel", "NetworkSupport", crypto, cryptoExtras, nioSSL, x509,
            .product(name: "SwiftASN1", package: "swift-asn1"), systemPackage,
        ]
    ),
    module(
        "APNSGateway",
        in: "Sources/APNs",
        [
            "PushModel", "PushClock", "DeviceLink", "DeviceLinkNIO", "NetworkSupport", "APNSTransport",
            "AppleDeveloper", crypto, nioSSL,
            log,
            lifecycle, metrics, hummingbird,
            .product(name: "HeapModule", package: "swift-collections"),
            x509,
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "SwiftASN1", package: "swift-asn1"),
        ] + nio
    ),
    module(
        "PrometheusExport",
        in: "Sources/Service",
        [.product(name: "CoreMetrics", package: "swift-metrics")]
    ),
    module("OTLPExport", in: "Sources/Service", ["PushModel", "PushClock", log, lifecycle, tracing]),
    module(
        "PushService",
        in: "Sources/Service",
        [
            "PushModel", "PushClock", "DeviceLink", crypto, cryptoExtras, log, lifecycle, metrics, tracing,
            .product(name: "DequeModule", package: "swift-collections"),
        ]
    ),
    .target(name: "CPostgres", path: "Sources/Service/CPostgres"),
    module(
        "PostgresClient",
        in: "Sources/Service",
        ["CPostgres", log, metrics, .product(name: "NIOPosix", package: "swift-nio")]
    ),
    .systemLibrary(name: "CSQLite", path: "Sources/Service/CSQLite"),
    module("PushStoreSQL", in: "Sources/Service", ["PushModel", "PushService"]),
    module(
        "PushStoreSQLite",
        in: "Sources/Service",
        [
            "PushModel", "PushClock", "PushService", "CSQLite", "PushStoreSQL", metrics,
            .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "GRDBSQLite", package: "GRDB.swift"), systemPackage,
        ]
    ),
    module(
        "PushStorePostgres",
        in: "Sources/Service",
        ["PushModel", "PushClock", "PushService", "PushStoreSQL", "PostgresClient", log]
    ),
    module(
        "PushAPI",
        in: "Sources/Service",
        [
            "PushModel", "PushClock", "DeviceLink", "DeviceLinkNIO", "NetworkSupport", "PrometheusExport",
            "PushService", hummingbird, log,
            lifecycle,
            metrics, tracing, nioHTTP1,
            nioWebSocket,
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        ] + nio
    ),
    .target(
        name: "PosthornClient",
        path: "Sources/Client/PosthornClient",
        exclude: ["PrivacyInfo.xcprivacy"],
        swiftSettings: portableSettings
    ),
    // An app's use of the client as a process, for Interop/test_client.py.
    .executableTarget(
        name: "ClientProgram",
        dependencies: ["PosthornClient"],
        path: "Tests/ClientProgram",
        swiftSettings: portableSettings
    ),
    // The command for Xcode's Simulator, which is for a Mac, and is tested on Linux too.
    module(
        "PosthornSimulator",
        in: "Sources/App",
        ["PushModel", "PushClock", "DeviceLink", "DeviceLinkNIO", argumentParser] + nio
    ),
    // Waiting helpers for the tests of several targets.
    module("TestSupport", in: "Tests", ["PushClock", log]),
    module("PostgresTestSupport", in: "Tests", ["PostgresClient", log]),
    // The contract of stores: for the tests of this package's own, and for others' servers.
    module(
        "PushStoreConformance",
        in: "Tests",
        ["PushService", "PushStorePostgres", "PostgresClient", "PushModel", "PushClock", log]
    ),
    tests("PosthornClientTests", ["PosthornClient", "ClientProgram", "DeviceLink", "PushModel", "TestSupport"]),
    tests("PushModelTests", ["PushModel", "TestSupport"]),
    tests("PushClockTests", ["PushClock", "TestSupport"]),
    tests(
        "PostgresClientTests",
        ["PostgresClient", "PostgresTestSupport", "TestSupport", log, metrics, metricsTestKit]
    ),
    tests("DeviceLinkTests", ["TestSupport", "DeviceLink", "PushModel", "PushClock"]),
    tests("APNSTransportTests", ["TestSupport", "APNSTransport", "NetworkSupport", nioSSL, nioEmbedded] + nio),
    tests(
        "PushServiceTests",
        [
            "TestSupport", "PostgresTestSupport", "PushStoreConformance", "PushService", "PushStoreSQL",
            "PushStoreSQLite",
            "PushStorePostgres",
            "PostgresClient",
            "PushModel", "PushClock", "DeviceLink", crypto, log,
            metrics, metricsTestKit, tracing, inMemoryTracing, .product(name: "GRDB", package: "GRDB.swift"),
        ],
        besides: ["Stores/Baseline"]
    ),
    tests(
        "PushAPITests",
        [
            "TestSupport", "PushAPI", "PrometheusExport", "OTLPExport", "PushService", "PushStoreSQLite", "PushModel",
            "PushClock",
            "DeviceLink", "DeviceLinkNIO", "NetworkSupport",
            hummingbird,
            lifecycle, log, crypto, nioSSL, x509, metrics, metricsTestKit, tracing, inMemoryTracing,
            .product(name: "NIOTLS", package: "swift-nio"),
            .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "SwiftASN1", package: "swift-asn1"),
        ] + nio
    ),
    tests(
        "APNSProviderTests",
        [
            "TestSupport", "APNSProvider", "APNSTransport", "APNSGateway", "AppleDeveloper", "PushModel", "PushClock",
            crypto, nioSSL, lifecycle, "NetworkSupport",
            log, nioEmbedded, metrics, metricsTestKit, .product(name: "SwiftASN1", package: "swift-asn1"),
        ] + nio
    ),
    tests(
        "APNSGatewayTests",
        [
            "TestSupport", "APNSGateway", "AppleDeveloper", "APNSProvider", "APNSTransport", "DeviceLink",
            "DeviceLinkNIO", "NetworkSupport", "PushModel",
            "PushClock", crypto, x509, log, hummingbird,
        ]
            + [
                nioSSL, nioWebSocket, nioEmbedded, metrics, metricsTestKit,
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
            ] + nio
    ),
    tests("LayoutTests", []),
    // The example's own package would compile the whole service once more.
    .testTarget(
        name: "OwnDatabaseTests",
        dependencies: ["PushStoreConformance"],
        path: "Examples/OwnDatabase/Tests/OwnDatabaseTests",
        swiftSettings: strict
    ),
]

var products: [Product] = [
    .library(name: "APNSProvider", targets: ["APNSProvider", "PushModel", "PushClock"]),
    .library(name: "PushClock", targets: ["PushClock"]),
    .library(name: "PosthornClient", targets: ["PosthornClient"]),
    .library(name: "PushStoreConformance", targets: ["PushStoreConformance"]),
]

// On Apple platforms the products and targets so far are all that is built.
let portable = (products: products, targets: targets)

// The frameworks below have the names of the system's own frameworks on Apple platforms. So they, and everything that depends
// on them, are built only on other platforms.
#if !canImport(Darwin)
products += [
    .library(name: "ActivityKit", targets: ["ActivityKit"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .library(name: "UserNotifications", targets: ["UserNotifications"]),
    .library(name: "UserNotificationsUI", targets: ["UserNotificationsUI"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .library(name: "PushKit", targets: ["PushKit"]),
    .library(name: "CallKit", targets: ["CallKit"]),
    .library(name: "LiveCommunicationKit", targets: ["LiveCommunicationKit"]),
    .library(name: "Intents", targets: ["Intents"]),
    .library(name: "JPush", targets: ["JPush"]),
    .library(name: "JPushExtension", targets: ["JPushExtension"]),
    .library(name: "AdSupport", targets: ["AdSupport"]),
    .library(name: "MobileCoreServices", targets: ["MobileCoreServices"]),
    .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
    .library(name: "PosthornTesting", targets: ["PosthornTesting"]),
    .library(name: "PosthornXCTest", targets: ["PosthornXCTest"]),
    .library(name: "PosthornMatrix", targets: ["PosthornMatrix"]),
    .library(name: "SystemPort", targets: ["SystemPort", "DeviceLink", "PushModel", "PushClock"]),
    .library(name: "SystemPortConformance", targets: ["SystemPortConformance"]),
    .executable(name: "posthorn", targets: ["posthorn"]),
]
// The port to the desktop's notifications, for programs of packages that choose it with the trait.
let pushLabExcluded = [
    "App", "Network", "NotificationContent", "NotificationService", "Widget", "README.md", "project.yml",
    "Info.plist",
    "PushLab.entitlements", "en.lproj", "zh-Hans.lproj",
]
let desktop = Target.Dependency.target(name: "SystemPortDesktop", condition: .when(traits: ["Desktop"]))
targets += [
    .systemLibrary(name: "CSymbols", path: "Sources/Device/CSymbols"),
    module("SystemPort", in: "Sources/Device", ["CSymbols", "PushModel", "PushClock", "DeviceLink"]),
    // What engines behind the port have to keep, for tests of engines.
    module("SystemPortConformance", in: "Tests", ["SystemPort", "DeviceLink", "PushModel", "PushClock"]),
    module("PushDevice", in: "Sources/Device", ["PushModel", "PushClock", "DeviceLink", "SystemPort"]),
    .systemLibrary(name: "CProcess", path: "Sources/Device/CProcess"),
    module("ProcessSpawn", in: "Sources/Device", ["CProcess"]),
    module(
        "SystemPortSocket",
        in: "Sources/Device",
        ["SystemPort", "CProcess", "ProcessSpawn", "PushModel", "PushClock", "DeviceLink"]
    ),
    .target(name: "CDBus", path: "Sources/Device/CDBus"),
    module(
        "SystemPortDesktop",
        in: "Sources/Device",
        ["CDBus", "ProcessSpawn", "SystemPort", "PushModel", "PushClock", "DeviceLink"]
    ),
    .systemLibrary(name: "CObjectCreation", path: "Sources/Frameworks/CObjectCreation"),
    module("_Testing_UIKit", in: "Sources/Frameworks"),
    module("AdSupport", in: "Sources/Frameworks", ["SystemPort"]),
    module("MobileCoreServices", in: "Sources/Frameworks", ["UniformTypeIdentifiers"]),
    module("UniformTypeIdentifiers", in: "Sources/Frameworks"),
    module("Intents", in: "Sources/Frameworks"),
    module("ActivityKit", in: "Sources/Frameworks", ["SystemPort", "PushModel", "PushClock"]),
    module("CoreLocation", in: "Sources/Frameworks", ["SystemPort", "PushModel", "PushClock"]),
    module(
        "UserNotifications",
        in: "Sources/Frameworks",
        [
            "CObjectCreation", "CoreLocation", "Intents", "SystemPort", "SystemPortSocket", "PushModel", "PushClock",
            desktop,
        ]
    ),
    module("PushKit", in: "Sources/Frameworks", ["UserNotifications", "SystemPort", "PushModel"]),
    // The audio session and the actions under both frameworks for calls.
    module("CallAudio", in: "Sources/Frameworks", ["UserNotifications", "SystemPort", "PushModel"]),
    module("CallKit", in: "Sources/Frameworks", ["CallAudio", "SystemPort", "PushModel"]),
    module("LiveCommunicationKit", in: "Sources/Frameworks", ["CallAudio", "SystemPort", "PushModel"]),
    module(
        "UIKit",
        in: "Sources/Frameworks",
        [
            "ActivityKit", "_Testing_UIKit", "CObjectCreation", "UserNotifications", "CoreLocation", "SystemPort",
            "SystemPortSocket",
            "PushModel",
            "PushClock", desktop,
        ]
    ),
    module(
        "UserNotificationsUI",
        in: "Sources/Frameworks",
        ["UIKit", "UserNotifications", "SystemPort"]
    ),
    // Portable is also what is behind the products of Apple's platforms.
    .target(
        name: "JPushExtension",
        dependencies: [
            "PosthornClient", "UIKit", "UserNotifications", "SystemPort", "DeviceLink", "PushModel", "PushClock",
        ],
        path: "Sources/Frameworks/JPushExtension",
        swiftSettings: shared(strictly: true)
    ),
    .target(
        name: "JPush",
        dependencies: [
            "JPushExtension", "PosthornClient", "UIKit", "UserNotifications", "CoreLocation", "SystemPort",
            "DeviceLink", "PushModel", "PushClock",
        ],
        path: "Sources/Frameworks/JPush",
        swiftSettings: shared(strictly: true)
    ),
    .target(
        name: "PushLabNetwork",
        path: "Examples/PushLab/Network",
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .target(
        name: "PushLab",
        dependencies: [
            "UIKit", "UserNotifications", "CoreLocation", "ActivityKit", "PushKit", "CallKit", "JPush",
            "PushLabNetwork", crypto,
        ],
        path: "Examples/PushLab",
        exclude: pushLabExcluded,
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .target(
        name: "PushLabNotificationService",
        dependencies: ["UserNotifications", "PushLabNetwork", crypto],
        path: "Examples/PushLab/NotificationService",
        exclude: ["Info.plist", "Program"],
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .target(
        name: "PushLabNotificationContent",
        dependencies: ["UIKit", "UserNotifications", "UserNotificationsUI"],
        path: "Examples/PushLab/NotificationContent",
        exclude: ["Info.plist", "Program"],
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .executableTarget(
        name: "PushLabContentExtension",
        dependencies: ["PushLabNotificationContent", "UserNotifications"],
        path: "Examples/PushLab/NotificationContent/Program",
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .executableTarget(
        name: "PushLabServiceExtension",
        dependencies: ["PushLabNotificationService", "UserNotifications"],
        path: "Examples/PushLab/NotificationService/Program",
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .executableTarget(
        name: "PushLabApp",
        dependencies: ["PushLab", "UIKit"],
        path: "Examples/PushLab/App",
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    // PushLab with orders by custom message, and a service extension that reports.
    .executableTarget(
        name: "PushLabClientApp",
        dependencies: ["PushLab", "JPush", "UIKit"],
        path: "Tests/PushLabClientApp",
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .executableTarget(
        name: "PushLabClientExtension",
        dependencies: ["JPushExtension", "UserNotifications"],
        path: "Tests/PushLabClientExtension",
        swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    module(
        "AppInstallation",
        in: "Sources/App",
        ["PushDevice", "UIKit", "UserNotificationsUI", "SystemPort", "SystemPortSocket", "PushModel"]
    ),
    module(
        "PosthornPhone",
        in: "Sources/App",
        [
            "AppInstallation", "PushDevice", "UIKit", "UserNotifications", "UserNotificationsUI", "SystemPort",
            "DeviceLink", "PushModel", "PushClock",
        ]
    ),
    // The kit for each of the two libraries that run tests.
    module("PosthornTesting", in: "Sources/App", ["PosthornPhone"]),
    module("PosthornXCTest", in: "Sources/App", ["PosthornPhone"]),
    // The tables of the callback matrix, as bytes in the binary.
    .target(name: "CMatrix", path: "Sources/App/CMatrix", exclude: ["callbacks.csv", "activities.csv", "calls.csv"]),
    module(
        "CallbackMatrix",
        in: "Sources/App",
        [
            "CMatrix", "ActivityKit", "CallKit", "LiveCommunicationKit", "PushKit", "PosthornPhone", "PushDevice",
            "SystemPort", "SystemPortSocket", "UIKit",
            "PushModel", "PushClock",
        ]
    ),
    // The callback matrix with the app of a team.
    module(
        "PosthornMatrix",
        in: "Sources/App",
        [
            "CallbackMatrix", "PosthornPhone", "PushDevice", "SystemPort", "UIKit", "PushModel",
            "PushClock",
        ]
    ),
    // What becomes of a push on each version of iOS.
    module(
        "PushExplanation",
        in: "Sources/App",
        [
            "CallbackMatrix", "PosthornPhone", "PushDevice", "UIKit", "UserNotifications", "APNSGateway",
            "APNSProvider", "APNSTransport", "DeviceLink", "PushModel", "PushClock", crypto,
        ]
    ),
    module(
        "PosthornStack",
        in: "Sources/App",
        [
            "PushModel", "PushClock", "DeviceLink", "DeviceLinkNIO", "NetworkSupport", "APNSTransport", "APNSProvider",
            "APNSGateway", "PushService",
            "PushStoreSQLite", "PushStorePostgres", "PostgresClient", "PushAPI", "PushDevice", "SystemPort", "UIKit",
            "JPush", "AppInstallation",
            "AppleDeveloper", "OTLPExport", "PushLab",
            "PushLabNotificationContent", "PushLabNotificationService", log, lifecycle, signals, crypto, nioHTTP1,
            nioSSL, .product(name: "HeapModule", package: "swift-collections"),
        ] + nio
    ),
    // Templates, scripts, styles and texts of the portal, as bytes in the binary.
    .target(
        name: "CPortalFiles",
        path: "Sources/App/CPortalFiles",
        exclude: ["Languages", "Pages", "Scripts", "Styles"]
    ),
    module(
        "PosthornPortal",
        in: "Sources/App",
        [
            "CPortalFiles", "PosthornStack", "PushModel", "PushClock", "NetworkSupport", "PushService", "PushAPI",
            "APNSGateway", "PushDevice", "CallbackMatrix", "PushExplanation", "UserNotifications", hummingbird,
            mustache, log, lifecycle,
            crypto,
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ] + nio
    ),
    .systemLibrary(name: "CMalloc", path: "Sources/App/CMalloc"),
    // The tools of `posthorn mcp`, as bytes in the binary.
    .target(name: "CTools", path: "Sources/App/CTools", exclude: ["tools.json"]),
    .executableTarget(
        name: "posthorn",
        dependencies: [
            "PosthornPortal", "PosthornStack", "CallbackMatrix", "PushExplanation", "PushModel", "PushClock",
            "DeviceLinkNIO",
            "NetworkSupport", "PushService", "PushStoreSQL", "PushStoreSQLite", "PushStorePostgres", "PostgresClient",
            "PushAPI", "PrometheusExport", "OTLPExport", "CMalloc", "CTools", metrics, tracing,
            "PushDevice", "SystemPort", "SystemPortDesktop", "AppInstallation", "AppleDeveloper", "APNSGateway",
            "APNSProvider", crypto, log,
            lifecycle,
            signals,
            argumentParser, "PosthornSimulator",
            .product(name: "Configuration", package: "swift-configuration"),
            systemPackage,
        ] + nio,
        path: "Sources/App/posthorn",
        swiftSettings: strict
    ),
    tests(
        "PushDeviceTests",
        [
            "TestSupport", "OldEntryApp", "PlainApp", "PushLabApp", "UserNotificationsUI", "PushDevice",
            "CallbackMatrix",
            "PosthornTesting", "PosthornXCTest", "PosthornPhone", "PosthornMatrix", "AppInstallation",
            "SystemPort", "SystemPortConformance",
            "ActivityKit", "DeviceLink", "CoreLocation", "UserNotifications", "UIKit", "PushKit", "CallKit",
            "LiveCommunicationKit", "JPush",
            "PushModel",
            "PushClock", "AdSupport", "Intents",
            "MobileCoreServices", "UniformTypeIdentifiers",
        ]
    ),
    tests(
        "JPushTests",
        [
            "TestSupport", "PushDevice", "CallbackMatrix", "PosthornTesting", "PushLab", "PushLabNotificationContent",
            "PushLabNotificationService", "SystemPort", "DeviceLink", "CoreLocation", "UIKit", "JPush",
            "JPushExtension", "PosthornClient", "PushModel", "PushClock",
        ],
        besides: ["Lives/Recorded"]
    ),
    tests(
        "PosthornPortalTests",
        [
            "TestSupport", "PosthornPortal", "PosthornStack", "PosthornTesting",
            "PushDevice", "SystemPort", "PushService", "PushModel", "PushClock",
            "ActivityKit",
            "UIKit", "UserNotifications", hummingbird, log, .product(name: "HTTPTypes", package: "swift-http-types"),
        ] + nio
    ),
    // The sample of a guide, which also has its own package. It is built here too, so that it keeps compiling.
    .executableTarget(
        name: "PushSample",
        dependencies: ["APNSProvider", "PushModel"],
        path: "Examples/APNsInYourCI/swift/Sources/Push",
        swiftSettings: strict
    ),
    // The app of the guide's pages about Live Activities and calls, as a separate process.
    .executableTarget(
        name: "DeliveryApp",
        dependencies: ["ActivityKit", "CallKit", "JPush", "LiveCommunicationKit", "PushKit", "UIKit"],
        path: "Examples/DeliveryApp",
        exclude: ["Info.plist"],
        swiftSettings: strict
    ),
    tests("CoreLocationTests", ["CoreLocation", "PushModel"]),
    tests(
        "SystemPortSocketTests",
        [
            "TestSupport", "CallsApp", "ConformanceProgram", "MatrixProgram", "OrdersApp", "OrdersContent",
            "OrdersExtension",
            "CallbackMatrix",
            "PosthornTesting",
            "PushDevice", "SystemPortConformance", "SystemPortSocket", "SystemPort", "PushModel", "PushClock",
        ]
    ),
    tests(
        "SystemPortDesktopTests",
        ["TestSupport", "SystemPortDesktop", "SystemPort", "PushModel"]
    ),
    // The program of the guide's page about the desktop, which also has its own package. It is built here too, so that it keeps
    // compiling.
    .executableTarget(
        name: "remind",
        dependencies: ["UserNotifications"],
        path: "Examples/DesktopReminder/Sources/remind",
        swiftSettings: strict
    ),
    // An app that runs as a separate process, for its `@main`.
    .executableTarget(name: "PlainApp", dependencies: ["UIKit"], path: "Tests/PlainApp", swiftSettings: strict),
    // The same without `@main`, in Swift 5 mode, where an app may also treat warnings as errors.
    .executableTarget(
        name: "OldEntryApp",
        dependencies: ["UIKit", "UserNotifications"],
        path: "Tests/OldEntryApp",
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
    ),
    // The apps of the matrix as separate processes.
    .executableTarget(
        name: "MatrixProgram",
        dependencies: ["CallbackMatrix"],
        path: "Tests/MatrixProgram",
        swiftSettings: strict
    ),
    // A process that checks its own port.
    .executableTarget(
        name: "ConformanceProgram",
        dependencies: ["SystemPortConformance", "SystemPortSocket", "SystemPort", "PushClock"],
        path: "Tests/ConformanceProgram",
        swiftSettings: strict
    ),
    // The command of a Mac, which is compiled and tested here too.
    .executableTarget(
        name: "PosthornOnMac",
        dependencies: ["PosthornSimulator", argumentParser],
        path: "Mac/posthorn",
        swiftSettings: strict
    ),
    // An app and its service extension as separate processes, which carry out the orders in pushes.
    .executableTarget(
        name: "OrdersApp",
        dependencies: ["ActivityKit", "UIKit", "CoreLocation"],
        path: "Tests/OrdersApp",
        exclude: ["Info.plist"],
        swiftSettings: strict
    ),
    // An app as a separate process, which takes calls.
    .executableTarget(
        name: "CallsApp",
        dependencies: ["UIKit", "PushKit", "CallKit", "LiveCommunicationKit"],
        path: "Tests/CallsApp",
        exclude: ["Info.plist"],
        swiftSettings: strict
    ),
    .executableTarget(
        name: "OrdersExtension",
        dependencies: ["UserNotifications"],
        path: "Tests/OrdersExtension",
        exclude: ["Info.plist"],
        swiftSettings: strict
    ),
    // The app's content extension as a separate process, which does what its buttons are named after.
    .executableTarget(
        name: "OrdersContent",
        dependencies: ["UIKit", "UserNotifications", "UserNotificationsUI"],
        path: "Tests/OrdersContent",
        exclude: ["Info.plist"],
        swiftSettings: strict
    ),
    // The hot roads of the product, which `Benchmarks/guard` counts the instructions of.
    .target(name: "CHotRoads", path: "Benchmarks/CHotRoads"),
    .executableTarget(
        name: "HotRoads",
        dependencies: [
            "CHotRoads", "PushModel", "PushClock", "DeviceLink", "DeviceLinkNIO", "APNSTransport", "APNSProvider",
            "APNSGateway", "AppleDeveloper", "PushService", "PushStoreSQLite", "PushAPI", crypto, nioSSL, log,
            lifecycle, hummingbird,
        ] + nio,
        path: "Benchmarks/HotRoads",
        swiftSettings: strict
    ),
    // Benchmarks of parts of the push path. Output and progress are links to the sources of `posthorn`.
    .executableTarget(
        name: "PosthornBench",
        dependencies: [
            "PosthornStack", "PosthornClient", "PushModel", "PushClock", "DeviceLink", "DeviceLinkNIO",
            "NetworkSupport", "APNSGateway",
            "APNSProvider", "PushService", "PushStoreSQLite", "PushStorePostgres", "PostgresClient", crypto, log,
            hummingbird, .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ] + nio,
        path: "Benchmarks/PosthornBench",
        swiftSettings: strict
    ),
    // App sources as developers write them, without this package's strict settings.
    .target(
        name: "SourceCompatibility5",
        dependencies: [
            "ActivityKit", "Intents", "UIKit", "UserNotifications", "CoreLocation", "PushKit", "CallKit",
            "LiveCommunicationKit", "JPush",
        ],
        path: "Tests/SourceCompatibility5",
        swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .testTarget(
        name: "SourceCompatibility",
        dependencies: [
            "TestSupport", "SourceCompatibility5", "ActivityKit", "UIKit", "UserNotifications", "UserNotificationsUI",
            "CoreLocation", "Intents",
            "PushKit", "CallKit", "LiveCommunicationKit", "JPush",
            "PosthornTesting",
            "PushDevice", "SystemPort", "PushModel", "PushClock",
        ],
        path: "Tests/SourceCompatibility"
    ),
    tests(
        "Journeys",
        [
            "TestSupport", "PosthornStack", "PosthornSimulator", "PosthornTesting", "PushExplanation", "PushLab",
            "PushLabNetwork",
            "PushLabNotificationService",
            "PushLabApp", "PushLabContentExtension", "PushLabServiceExtension", "APNSProvider", "APNSTransport",
            "PushDevice",
            "JPush",
            "UIKit", "UserNotifications",
            "ActivityKit", "AppInstallation",
            "PushModel",
            "PushClock", "PushService", "PushAPI", "DeviceLink", "APNSGateway", "AppleDeveloper", log,
            "NetworkSupport", "SystemPort", nioHTTP1, nioSSL, nioEmbedded,
            .product(name: "GRDB", package: "GRDB.swift"),
        ] + nio,
        besides: ["Explained"]
    ),
]
let isOnMac = Context.environment["POSTHORN_MANIFEST"] == "macOS"
#else
let isOnMac = true
#endif

// On Apple platforms the same products are there, so that a manifest with tests for Linux resolves: those with the names of
// frameworks are empty, and the kit's modules say what to do. A test compares the names; it sets the variable above.
if isOnMac {
    (products, targets) = portable
    // What Apple asks of an SDK: the data that it collects.
    for client in targets where client.name == "PosthornClient" {
        client.resources = client.exclude.map { .copy($0) }
        client.exclude = []
    }
    let frameworks = [
        "ActivityKit", "CoreLocation", "UserNotifications", "UserNotificationsUI", "UIKit", "PushKit", "CallKit",
        "LiveCommunicationKit", "Intents",
        "AdSupport", "MobileCoreServices",
        "UniformTypeIdentifiers",
    ]
    let kit = ["PosthornTesting", "PosthornXCTest", "PosthornMatrix"]
    // Engines behind the frameworks have a place only where Posthorn's frameworks are.
    let engines = ["SystemPort", "SystemPortConformance"]
    products += (frameworks + engines).map { .library(name: $0, targets: ["AppleFrameworks"]) }
    let command = "posthorn"
    products += kit.map { .library(name: $0, targets: [$0]) } + [.executable(name: command, targets: [command])]
    targets += (["AppleFrameworks"] + kit).map { module($0, in: "Mac") }
    // For iOS; empty on a Mac. An app sees Objective-C's headers, from Swift too; the classes are those of the Swift module behind each.
    for (sdk, needs) in [("JPushExtension", [String]()), ("JPush", ["JPushExtension"])] {
        products.append(.library(name: sdk, targets: [sdk]))
        let swift = "\(sdk)ForApple"
        targets += [
            .target(
                name: sdk,
                dependencies: [.byName(name: swift)] + needs.map { .byName(name: $0) },
                path: "Mac/\(sdk)"
            ),
            .target(
                name: swift,
                dependencies: ["PosthornClient"] + needs.map { .byName(name: "\($0)ForApple") },
                path: "Sources/Frameworks/\(sdk)/Portable",
                swiftSettings: shared()
            ),
        ]
    }
    targets.append(
        .executableTarget(
            name: command,
            dependencies: ["PosthornSimulator", argumentParser],
            path: "Mac/\(command)",
            swiftSettings: strict
        )
    )
}

let package = Package(
    name: "posthorn",
    platforms: [.macOS(.v15)],
    products: products,
    traits: [
        .trait(
            name: "Desktop",
            description: "UserNotifications shows the notifications of a program on Linux on the desktop, over D-Bus."
        )
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: targets
)
