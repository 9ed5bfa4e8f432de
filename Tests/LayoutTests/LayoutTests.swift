import Testing

/// The rules of CONTRIBUTING.md, "Where does a line of code belong?"
@Suite("The house")
struct LayoutTests {
    /// Top to bottom: an import points up this list.
    private static let order: [(group: String, modules: [String])] = [
        ("Model", ["CWords", "PushModel", "PushClock"]),
        ("Client", ["PosthornClient"]),
        ("Link", ["DeviceLink", "NetworkSupport", "DeviceLinkNIO"]),
        ("APNs", ["APNSTransport", "APNSProvider", "AppleDeveloper", "APNSGateway"]),
        (
            "Service",
            [
                "PrometheusExport", "OTLPExport", "CPostgres", "PostgresClient", "PushService", "PushStoreSQL",
                "CSQLite", "PushStoreSQLite",
                "PushStorePostgres",
                "PushAPI",
            ]
        ),
        (
            "Device",
            [
                "CProcess", "CSymbols", "CDBus", "ProcessSpawn", "SystemPort", "PushDevice",
                "SystemPortSocket", "SystemPortDesktop",
            ]
        ),
        (
            "Frameworks",
            [
                "CObjectCreation", "_Testing_UIKit", "AdSupport", "UniformTypeIdentifiers", "MobileCoreServices",
                "ActivityKit", "CoreLocation", "Intents",
                "UserNotifications", "PushKit", "CallAudio", "CallKit",
                "LiveCommunicationKit", "UIKit", "UserNotificationsUI",
                "JPushExtension", "JPush",
            ]
        ),
        (
            "App",
            [
                "CMalloc", "CMatrix", "CPortalFiles", "CTools", "AppInstallation", "PosthornPhone", "PosthornTesting",
                "PosthornSimulator",
                "PosthornXCTest",
                "CallbackMatrix", "PosthornMatrix", "PushExplanation", "PosthornStack", "PosthornPortal", "posthorn",
            ]
        ),
    ]

    /// The example app and its extensions stand between what they import and what shows them.
    private static let examples = [
        "PushLabNetwork", "PushLab", "PushLabNotificationService", "PushLabNotificationContent",
    ]

    /// The example app that the phones of `demo`, `sandbox` and `device run` have, and its extensions.
    private static let shownExamples: Set = ["PushLab", "PushLabNotificationService", "PushLabNotificationContent"]

    private static let rank: [String: Int] = {
        let frameworksAndAbove = order.dropLast().flatMap(\.modules)
        let names = frameworksAndAbove + examples + (order.last?.modules ?? [])
        return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }()

    /// Modules that come with the toolchain, and those that sources import on Apple's systems alone.
    private static let toolchain: Set = [
        "FoundationEssentials",
        "CoreFoundation", "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "Musl", "Darwin", "Observation",
        "RegexBuilder",
        "Swift",
        "Synchronization", "Testing", "XCTest", "AVFoundation", "Security",
    ]

    /// Modules below the frameworks that they may import.
    private static let visibleToFrameworks = [
        "SystemPort", "SystemPortSocket", "SystemPortDesktop", "PushModel", "PushClock", "DeviceLink",
    ]

    private static let sources = SourceTree.sources

    private static let manifest = SourceTree.text(of: "Package.swift").map { Manifest($0) }

    @Test("Every module stands in its place")
    func places() {
        #expect(Self.sources.count >= 19)
        for module in Self.sources {
            let group = Self.order.first { $0.modules.contains(module.name) }?.group
            #expect(group == module.group, "\(module) has no place in `order`.")
            #expect(module.files > 0, "\(module) is empty.")
        }
        #expect(Self.sources.contains { $0.imports.contains { $0.module == "PushModel" } }, "Imports are found.")
        for module in Self.order.flatMap(\.modules) {
            #expect(Self.sources.contains { $0.name == module }, "`order` names \(module), which does not exist.")
        }
    }

    @Test("An import only points up the list", arguments: sources)
    func pointsUp(_ module: SourceModule) throws {
        let own = try #require(Self.rank[module.name])
        for line in module.imports {
            // The client has Apple's own modules by these names, there alone.
            if module.name == "PosthornClient", Self.apples.contains(line.module) { continue }
            guard let rank = Self.rank[line.module] else { continue }
            #expect(rank < own, "\(line) points down.")
        }
    }

    @Test("The pure modules see no network, no database and no HTTP server", arguments: sources)
    func pure(_ module: SourceModule) {
        let pure = [
            "PushModel", "PushClock", "DeviceLink", "PushService", "SystemPort",
            "SystemPortSocket", "SystemPortDesktop", "PushDevice",
        ]
        guard pure.contains(module.name) else { return }
        for line in module.imports {
            let isHeavy = ["NIO", "GRDB", "Hummingbird"].contains { line.module.hasPrefix($0) }
            #expect(!isHeavy, "\(line) has no place in a pure module.")
        }
    }

    @Test("NIO, GRDB and Hummingbird stay where they belong", arguments: sources)
    func heavyStaysInPlace(_ module: SourceModule) {
        for line in module.imports {
            if line.module.hasPrefix("NIO") {
                let mayUse =
                    ["APNs", "App"].contains(module.group)
                    || ["NetworkSupport", "DeviceLinkNIO", "PostgresClient", "PushAPI"].contains(module.name)
                #expect(
                    mayUse,
                    "\(line): NIO stays in APNs/, NetworkSupport, DeviceLinkNIO, PostgresClient, PushAPI and App/."
                )
            }
            if line.module == "GRDB" {
                #expect(module.name == "PushStoreSQLite", "\(line): GRDB stays in PushStoreSQLite.")
            }
            if line.module.hasPrefix("Hummingbird") {
                let mayUse = module.group == "App" || ["PushAPI", "APNSGateway"].contains(module.name)
                #expect(mayUse, "\(line): Hummingbird stays in PushAPI, APNSGateway and App/.")
            }
        }
    }

    @Test("The frameworks see themselves, the port, the model, the clock and the link alone", arguments: sources)
    func frameworks(_ module: SourceModule) throws {
        guard module.group == "Frameworks" else { return }
        let own = try #require(Self.order.first { $0.group == "Frameworks" }).modules
        var visible = Self.toolchain.union(own).union(Self.visibleToFrameworks)
        if Self.overClient.contains(module.name) { visible.formUnion(["PosthornClient", Self.extensionForApple]) }
        for line in module.imports { #expect(visible.contains(line.module), "\(line) is not for a framework to see.") }
    }

    /// JPush stands on the client for apps; no other framework does.
    private static let overClient = ["JPush", "JPushExtension"]
    /// The name of JPushExtension's Swift in the package for Apple's platforms.
    private static let extensionForApple = "JPushExtensionForApple"

    /// Apple's own, which the client for apps has there alone.
    private static let apples: Set = ["BackgroundTasks", "Network", "SwiftUI", "UIKit", "UserNotifications", "os"]

    @Test(
        "The client for apps stands on Foundation alone, and on Apple's systems on their own modules",
        arguments: sources
    )
    func client(_ module: SourceModule) {
        guard module.name == "PosthornClient" else { return }
        let visible = Self.apples.union(["Foundation", "FoundationNetworking", "Security"])
        for line in module.imports { #expect(visible.contains(line.module), "\(line) is not for the client.") }
    }

    @Test("CONTRIBUTING.md has a row for each folder, and says what a framework may import")
    func contributing() throws {
        let rows = try #require(SourceTree.text(of: "CONTRIBUTING.md")).split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        let groups = Self.order.map(\.group)
        #expect(rows.compactMap { row in groups.first { row.hasPrefix("| `\($0)` |") } } == groups)
        let frameworks = try #require(rows.first { $0.hasPrefix("| `Frameworks` |") })
        for module in Self.visibleToFrameworks + ["PosthornClient"] { #expect(frameworks.contains("`\(module)`")) }
    }

    @Test("The product does not import its test kit, but for the callback matrix and explanations", arguments: sources)
    func testKit(_ module: SourceModule) {
        let kit = ["PosthornPhone", "PosthornTesting", "PosthornXCTest"]
        let onPhones = ["CallbackMatrix", "PosthornMatrix", "PushExplanation"]
        guard !onPhones.contains(module.name), !kit.contains(module.name) else { return }
        for line in module.imports { #expect(!kit.contains(line.module), "\(line): the test kit is for tests.") }
    }

    @Test("The example app is only imported to install it on a phone and to narrate the demo", arguments: sources)
    func examples(_ module: SourceModule) throws {
        let manifest = try #require(Self.manifest)
        // A declaration also has the target's folder.
        let examples = Set(
            manifest.dependencies.filter { $0.value.contains { $0.hasPrefix("Examples/") } }.map(\.key)
        )
        #expect(examples.isSuperset(of: Self.examples), "The targets of Examples are found.")
        let isStack = module.name == "PosthornStack"
        for line in module.imports where examples.contains(line.module) {
            let isInPlace = ["PushLabPhone.swift", "Demo/"].contains {
                line.file.hasPrefix("Sources/App/PosthornStack/\($0)")
            }
            #expect(isInPlace && Self.shownExamples.contains(line.module), "\(line): this is example code.")
        }
        let dependencies = manifest.dependencies[module.name, default: []].intersection(examples)
        #expect(dependencies == (isStack ? Self.shownExamples : []), "\(module) depends on example code.")
    }

    /// SwiftPM compiles for a package what the products that it depends on need: so a test suite that uses the kit compiles
    /// no server. `Scripts/light-build.sh` proves it from nothing.
    @Test(
        "The test kit and the frameworks stand on no other package, whatever they stand on themselves",
        arguments: [
            "PosthornTesting", "PosthornXCTest", "PosthornMatrix", "UIKit", "UserNotificationsUI", "JPush",
            "CoreLocation", "ActivityKit",
        ]
    )
    func light(_ product: String) throws {
        let manifest = try #require(Self.manifest)
        let own = Set(Self.sources.map(\.name))
        var seen: Set<String> = [product]
        var waiting: [String] = [product]
        while let name = waiting.popLast() {
            // The declaration also has the folder, and files that are no sources.
            let dependencies = manifest.dependencies[name, default: []].filter {
                !$0.contains("/") && !$0.contains(".") && !["ExistentialAny", "MemberImportVisibility"].contains($0)
            }
            #expect(dependencies.isSubset(of: own), "\(name), on which \(product) stands, needs other packages.")
            waiting += dependencies.subtracting(seen)
            seen.formUnion(dependencies)
        }
        #expect(seen.isSuperset(of: ["SystemPort", "PushModel", "PushClock"]), "Dependencies are found.")
    }

    @Test("Each import of a target is a direct dependency in the manifest", arguments: sources + SourceTree.tests)
    func directDependencies(_ module: SourceModule) throws {
        let manifest = try #require(Self.manifest)
        var known = module.name == "PosthornClient" ? Self.toolchain.union(Self.apples) : Self.toolchain
        if module.name == "JPush" { known.insert(Self.extensionForApple) }
        let foreign = module.imports.filter { !known.contains($0.module) && $0.module != module.name }
        guard !foreign.isEmpty else { return }
        let dependencies = try #require(manifest.dependencies[module.name], "\(module) is not in the manifest.")
        for line in foreign {
            #expect(dependencies.contains(line.module), "\(line) is no direct dependency of \(module.name).")
        }
    }
}

@Suite("How the house is read")
struct LayoutReadingTests {
    @Test(
        "Finds import lines in every spelling and nothing else",
        arguments: [
            ("import A", "A"), ("public import A", "A"), ("package import A", "A"), ("    import A // why", "A"),
            ("@testable import A", "A"), ("@_spi(X) public import A", "A"), ("@preconcurrency import A", "A"),
            ("import struct A.B", "A"), ("internal import func A.b", "A"), ("import _A_B", "_A_B"),
            ("// import A", nil),
            ("let x = \"import A\"", nil), ("important A", nil), ("import", nil), ("func import A", nil),
        ] as [(String, String?)]
    )
    func imports(_ line: String, _ module: String?) {
        #expect(ImportLine.all(in: "\n\(line)\n", file: "f").map(\.module) == [module].compactMap { $0 })
        #expect(ImportLine.all(in: "\n\(line)\n", file: "f").first.map(\.line) == module.map { _ in 2 })
    }

    @Test("Reads targets with their products and constants from a manifest")
    func manifest() {
        let text = """
            let nio: [Target.Dependency] = [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
            let log = Target.Dependency.product(name: "Logging", package: "swift-log")
            let extra = Target.Dependency.target(name: "One", condition: .when(traits: ["Extra"]))
            let targets = [
                module("One", in: "Sources/A"),
                module("Two", in: "Sources/A", ["One", log] + nio),
                // module("Gone", in: "Sources/A", ["One"]),
                module("Four", in: "Sources/A", [extra]),
                .executableTarget(name: "three", dependencies: ["Two", .product(name: "P", package: "p")]),
                tests("OneTests", ["One"]),
            ]
            """
        let dependencies = Manifest(text).dependencies
        #expect(dependencies["One"]?.contains("Two") == false)
        #expect(dependencies["Two"]?.isSuperset(of: ["One", "Logging", "NIOCore", "NIOPosix"]) == true)
        #expect(dependencies["Two"]?.contains("P") == false)
        #expect(dependencies["three"]?.isSuperset(of: ["Two", "P"]) == true)
        #expect(dependencies["three"]?.contains("Logging") == false)
        #expect(dependencies["OneTests"]?.contains("One") == true)
        #expect(dependencies["Four"]?.contains("One") == true)
        #expect(dependencies["Four"]?.contains("Extra") == false)
        #expect(dependencies["Gone"] == nil)
    }
}
