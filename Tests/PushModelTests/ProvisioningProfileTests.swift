import Foundation
import PushModel
import Testing

@Suite("Provisioning profile")
struct ProvisioningProfileTests {
    static let created = Date(timeIntervalSince1970: 1_767_254_400)

    static func profile(
        bundleID: String = "com.example.app",
        environment: APNSEnvironment? = .development,
        devices: Set<String>? = nil
    ) -> ProvisioningProfile {
        ProvisioningProfile(
            name: "Example",
            id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
            teamID: "TEAM123456",
            bundleID: bundleID,
            environment: environment,
            devices: devices,
            created: created.addingTimeInterval(0.7),
            expires: created.addingTimeInterval(365 * 86400)
        )
    }

    static let profiles = [
        profile(), profile(environment: .production), profile(environment: nil), profile(bundleID: "com.example.*"),
        profile(devices: ["UDID-2", "UDID-1"]), profile(devices: []),
    ]

    @Test("Reads back as it was written", arguments: profiles)
    func roundTrip(_ profile: ProvisioningProfile) throws {
        #expect(try ProvisioningProfile(file: profile.propertyList()) == profile)
    }

    @Test("Its file has Apple's keys")
    func keys() throws {
        let text = String(decoding: try Self.profile(devices: ["UDID-1"]).propertyList(), as: UTF8.self)
        for key in [
            "Name", "UUID", "TeamIdentifier", "Entitlements", "application-identifier", "aps-environment",
            "get-task-allow", "ProvisionedDevices", "CreationDate", "ExpirationDate",
        ] {
            #expect(text.contains("<key>\(key)</key>"))
        }
        #expect(text.contains("<string>TEAM123456.com.example.app</string>"))
    }

    @Test("Is found in a signed envelope")
    func envelope() throws {
        let file =
            Data([0x30, 0x82, 0x20, 0x00, 0x06, 0x09]) + (try Self.profile().propertyList()) + Data([0xA0, 0x00])
        #expect(try ProvisioningProfile(file: file) == Self.profile())
    }

    @Test("Says what is missing or wrong")
    func unreadable() throws {
        let text = String(decoding: try Self.profile().propertyList(), as: UTF8.self)
        let changes: [(String, String, String)] = [
            ("<key>Name</key>", "<key>Nome</key>", "The file is no provisioning profile: 'Name' is missing."),
            (
                "<key>application-identifier</key>", "<key>other</key>",
                "The file is no provisioning profile: 'Entitlements.application-identifier' is missing."
            ),
            (
                "<string>development</string>", "<string>sandbox</string>",
                "'aps-environment' is 'sandbox'; expected 'development' or 'production'."
            ),
            (
                "TEAM123456.com.example.app", "app",
                "'application-identifier' is 'app'; expected team and bundle id, such as 'ABCDE12345.com.example.app'."
            ),
        ]
        for (old, new, sentence) in changes {
            let changed = text.replacingOccurrences(of: old, with: new)
            #expect(changed != text)
            let problem = #expect(throws: ProvisioningProfile.Unreadable.self) {
                try ProvisioningProfile(file: Data(changed.utf8))
            }
            #expect(problem?.description == sentence)
        }
    }

    @Test("Refuses other files", arguments: ["", "{}", "0<?xml", "<?xml version=\"1.0\"?><plist><array/></plist>"])
    func otherFiles(_ text: String) {
        #expect(throws: ProvisioningProfile.Unreadable.self) { try ProvisioningProfile(file: Data(text.utf8)) }
    }

    @Test("Lets its app onto its devices until it expires")
    func check() throws {
        let profile = Self.profile(devices: ["UDID-1"])
        try profile.check(bundleID: "com.example.app", device: "UDID-1", at: Self.created)
        try Self.profile().check(bundleID: "com.example.app", device: "any", at: Self.created)
        #expect(throws: ProvisioningProfile.Refusal.otherApp(found: "com.example", expected: "com.example.app")) {
            try profile.check(bundleID: "com.example", device: "UDID-1", at: Self.created)
        }
        #expect(throws: ProvisioningProfile.Refusal.otherDevice("UDID-2")) {
            try profile.check(bundleID: "com.example.app", device: "UDID-2", at: Self.created)
        }
        #expect(throws: ProvisioningProfile.Refusal.expired(profile.expires)) {
            try profile.check(bundleID: "com.example.app", device: "UDID-1", at: profile.expires)
        }
    }

    @Test("A wildcard stands for all that begins so")
    func wildcard() throws {
        let profile = Self.profile(bundleID: "com.example.*")
        try profile.check(bundleID: "com.example.app", device: "any", at: Self.created)
        #expect(throws: ProvisioningProfile.Refusal.self) {
            try profile.check(bundleID: "com.examples", device: "any", at: Self.created)
        }
        try Self.profile(bundleID: "*").check(bundleID: "org.example", device: "any", at: Self.created)
    }
}
