import Foundation
import Testing

@testable import PosthornClient

@Suite("The environment of the build")
struct AppBuildTests {
    /// A profile as Apple writes it: a property list between the bytes of a signature.
    private static func profile(_ entitlements: [String: Any], _ more: [String: Any] = [:]) throws -> Data {
        let content = more.merging(["Entitlements": entitlements]) { $1 }
        let list = try PropertyListSerialization.data(fromPropertyList: content, format: .xml, options: 0)
        return Data([0x30, 0x82, 0x10, 0x00, 0x3C, 0x3F]) + list + Data([0x00, 0xFF, 0x3C])
    }

    @Test("Is what the embedded profile says")
    func profiles() throws {
        let development = try Self.profile(
            ["aps-environment": "development", "get-task-allow": true],
            ["ProvisionedDevices": ["one"]]
        )
        let adHoc = try Self.profile(
            ["aps-environment": "production", "get-task-allow": false],
            ["ProvisionedDevices": ["one"]]
        )
        let enterprise = try Self.profile(["aps-environment": "production"], ["ProvisionsAllDevices": true])
        let mac = try Self.profile(
            ["com.apple.developer.aps-environment": "development"],
            ["ProvisionedDevices": ["m"]]
        )
        let withoutPush = try Self.profile(["get-task-allow": true], ["ProvisionedDevices": ["one"]])
        func read(_ data: Data, _ platform: AppBuild.Platform = .device) -> AppBuild {
            AppBuild.decide(profile: data, receipt: "sandboxReceipt", platform: platform)
        }
        #expect(read(development) == AppBuild(environment: .development, distribution: .development, allowsPush: true))
        #expect(read(adHoc) == AppBuild(environment: .production, distribution: .adHoc, allowsPush: true))
        #expect(read(enterprise) == AppBuild(environment: .production, distribution: .everywhere, allowsPush: true))
        #expect(
            read(mac, .mac)
                == AppBuild(environment: .development, distribution: .development, isMac: true, allowsPush: true)
        )
        #expect(
            read(withoutPush)
                == AppBuild(environment: .development, distribution: .development, allowsPush: false)
        )
    }

    @Test("Is production without a profile, on a phone and on a Mac: Apple distributes apps without one")
    func withoutProfile() {
        func decide(_ receipt: String?, _ platform: AppBuild.Platform) -> AppBuild {
            AppBuild.decide(profile: nil, receipt: receipt, platform: platform)
        }
        #expect(decide("receipt", .device) == AppBuild(environment: .production, distribution: .appStore))
        #expect(decide("sandboxReceipt", .device) == AppBuild(environment: .production, distribution: .testFlight))
        #expect(decide("receipt", .mac) == AppBuild(environment: .production, distribution: .appStore, isMac: true))
        #expect(decide(nil, .other) == AppBuild(environment: .production, distribution: .unsigned))
        let broken = AppBuild.decide(profile: Data("no list".utf8), receipt: nil, platform: .device)
        #expect(broken.environment == .production)
    }

    @Test("Is development in a simulator, whatever the app's signing")
    func simulator() throws {
        let profile = try Self.profile(["aps-environment": "production"])
        let build = AppBuild.decide(profile: profile, receipt: nil, platform: .simulator)
        #expect(build == AppBuild(environment: .development, distribution: .simulator))
    }
}
