import Foundation
import PosthornStack
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Files of a build, held against each other", .suiteLimit)
struct BuildFilesTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let day: TimeInterval = 86_400

    private func profile(_ change: (inout ProvisioningProfile) -> Void = { _ in }) -> ProvisioningProfile {
        var profile = ProvisioningProfile(
            name: "Shop",
            id: UUID(),
            teamID: "TEAM123456",
            bundleID: "com.example.shop",
            environment: .development,
            created: now,
            expires: now + 300 * day
        )
        change(&profile)
        return profile
    }

    private func certificate(
        _ bundleID: String = "com.example.shop",
        _ environments: Set<APNSEnvironment> = [.development],
        team: String = "TEAM123456",
        from start: Double = -1,
        endsIn days: Double = 300
    ) -> Result<InspectedCertificate, UnusableCertificate> {
        .success(
            InspectedCertificate(
                bundleID: bundleID,
                environments: environments,
                topics: [bundleID],
                teamID: team,
                commonName: "Apple Development IOS Push Services: \(bundleID)",
                notBefore: now + start * day,
                notAfter: now + days * day,
                fingerprint: [1]
            )
        )
    }

    private func state(of check: String, _ set: (inout BuildFiles) -> Void) -> Finding.State? {
        var files = BuildFiles()
        set(&files)
        let found = files.findings(at: now).filter { $0.check == check }
        #expect(found.count <= 1)
        #expect(found.allSatisfy { ($0.state == .ok) == ($0.remedy == nil) }, "\(found)")
        #expect(found.allSatisfy { !$0.found.isEmpty && !"\($0.found)\($0.remedy ?? "")".contains("{") }, "\(found)")
        return found.first?.state
    }

    @Test("A profile: valid, expired, a wildcard, without push")
    func profiles() {
        #expect(state(of: "profile") { $0.profile = profile() } == .ok)
        #expect(state(of: "profile") { $0.profile = profile { $0.expires = now } } == .wrong)
        #expect(state(of: "profile") { $0.profile = profile { $0.bundleID = "com.example.*" } } == .wrong)
        #expect(state(of: "profile") { $0.profile = profile { $0.environment = nil } } == .wrong)
    }

    @Test("A certificate: valid, ending, ended, not yet valid, unreadable")
    func certificates() {
        #expect(state(of: "certificate") { $0.certificate = certificate() } == .ok)
        #expect(state(of: "certificate") { $0.certificate = certificate(endsIn: 20) } == .warning)
        #expect(state(of: "certificate") { $0.certificate = certificate(endsIn: -1) } == .wrong)
        #expect(state(of: "certificate") { $0.certificate = certificate(from: 2) } == .wrong)
        for reason in [UnusableCredential.wrongPassword, .keyMissing] {
            let refusal = UnusableCertificate("It does not open.", reason: reason)
            #expect(state(of: "certificate") { $0.certificate = .failure(refusal) } == .wrong)
        }
    }

    @Test("A key: usable or not")
    func keys() {
        let good = BuildFiles.Key(keyID: "ABCDE12345", teamID: "TEAM123456")
        let bad = BuildFiles.Key(keyID: "ABCDE12345", teamID: "TEAM123456", problem: "it is encrypted")
        #expect(state(of: "key") { $0.key = good } == .ok)
        #expect(state(of: "key") { $0.key = bad } == .wrong)
    }

    @Test("Entitlements: with push, without, with a value that Apple does not know")
    func entitlements() {
        #expect(state(of: "entitlements") { $0.entitlements = ["aps-environment": "development"] } == .ok)
        #expect(state(of: "entitlements") { $0.entitlements = ["aps-environment": "$(APS_ENVIRONMENT)"] } == .ok)
        #expect(state(of: "entitlements") { $0.entitlements = [:] } == .wrong)
        #expect(state(of: "entitlements") { $0.entitlements = ["aps-environment": "sandbox"] } == .wrong)
    }

    @Test("Background modes: with remote notifications, or without")
    func modes() {
        #expect(state(of: "background-modes") { $0.info = ["UIBackgroundModes": ["remote-notification"]] } == .ok)
        #expect(state(of: "background-modes") { $0.info = ["UIBackgroundModes": ["audio"]] } == .warning)
    }

    @Test("Bundle ids: the same everywhere, covered by a wildcard, or different")
    func bundleIDs() {
        func state(_ info: String, _ set: (inout BuildFiles) -> Void) -> Finding.State? {
            self.state(of: "bundle-id") { files in
                files.info = ["CFBundleIdentifier": .string(info)]
                set(&files)
            }
        }
        #expect(state("com.example.shop") { $0.profile = profile() } == .ok)
        #expect(state("com.example.Shop") { $0.profile = profile() } == .wrong)
        #expect(state("com.example.shop") { $0.profile = profile { $0.bundleID = "com.example.*" } } == .ok)
        #expect(state("com.example.shop") { $0.certificate = certificate() } == .ok)
        #expect(state("com.example.shop") { $0.certificate = certificate("com.example.other") } == .wrong)
        let identifier: JSONObject = ["application-identifier": "TEAM123456.com.example.other"]
        #expect(state("com.example.shop") { $0.entitlements = identifier } == .wrong)
        let setting = BuildFiles.Setting(bundleID: "com.example.other", environment: .development)
        #expect(state("com.example.shop") { $0.setting = setting } == .wrong)
        #expect(state("$(PRODUCT_BUNDLE_IDENTIFIER)") { $0.profile = profile() } == nil)
    }

    @Test("Environments: build, certificate and setting agree, or not")
    func environments() {
        func state(_ set: (inout BuildFiles) -> Void) -> Finding.State? {
            self.state(of: "environment") { files in
                files.profile = profile()
                set(&files)
            }
        }
        #expect(state { _ in } == nil, "There is nothing to compare a profile with.")
        #expect(state { $0.certificate = certificate() } == .ok)
        #expect(state { $0.certificate = certificate("com.example.shop", [.production]) } == .wrong)
        #expect(state { $0.key = BuildFiles.Key(keyID: "ABCDE12345", teamID: "TEAM123456") } == .ok)
        for (environment, expected) in [(APNSEnvironment.development, Finding.State.ok), (.production, .wrong)] {
            let setting = BuildFiles.Setting(bundleID: "com.example.shop", environment: environment)
            #expect(state { $0.setting = setting } == expected)
        }
        #expect(state { $0.entitlements = ["aps-environment": "production"] } == .warning)
        #expect(state { $0.entitlements = ["aps-environment": "development"] } == .ok)
    }

    @Test("Teams: the same, or different")
    func teams() {
        func state(_ team: String) -> Finding.State? {
            self.state(of: "team") { files in
                files.profile = profile()
                files.certificate = certificate(team: team)
            }
        }
        #expect(state("TEAM123456") == .ok)
        #expect(state("OTHER12345") == .wrong)
    }

    @Test("Property lists in XML and binary; other files are none")
    func propertyLists() throws {
        let list = ["CFBundleIdentifier": "com.example.shop"]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let file = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            #expect(BuildFiles.propertyList(file)?["CFBundleIdentifier"]?.string == "com.example.shop")
        }
        #expect(BuildFiles.propertyList(Data("nothing".utf8)) == nil)
    }
}
