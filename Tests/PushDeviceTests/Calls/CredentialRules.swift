import Foundation
import PosthornTesting
import PushDevice
import PushKit
import PushModel
import Testing

@Suite("Rules of PushKit's credentials")
@MainActor
struct CredentialRules {
    @Test("PushKit delivers a push token to the delegate, a different one for each type")
    func tokens() async throws {
        let stage = await CallStage { $0.types = [.voIP, .complication] }
        let app = try #require(stage.delegate)
        #expect(
            app.log.filter { $0.hasPrefix("credentials") }.sorted() == [
                "credentials PKPushTypeComplication", "credentials PKPushTypeVoIP",
            ]
        )
        #expect(Set(app.tokens).count == 2)
        #expect(app.registry.pushToken(for: .voIP).map(app.tokens.contains) == true)
        #expect(app.registry.pushToken(for: .fileProvider) == nil)
        #expect(app.registry.desiredPushTypes == [.voIP, .complication])
    }

    @Test("Every time your app launches, the delegate receives the same credentials")
    func relaunch() async throws {
        let stage = await CallStage()
        let first = try #require(stage.delegate?.tokens)
        await stage.phone.terminate(stage.app)
        await stage.phone.open(stage.app)
        #expect(stage.delegate?.tokens == first)
        #expect(first.count == 1)
    }

    @Test("The token of a type that leaves desiredPushTypes is invalidated, and given back")
    func invalidated() async throws {
        let stage = await CallStage()
        let app = try #require(stage.delegate)
        let token = try #require(app.tokens.first)
        app.registry.desiredPushTypes = []
        await stage.phone.device.settled()
        #expect(app.log.last == "invalidated PKPushTypeVoIP")
        #expect(stage.phone.courier.unregistered == [DeviceToken(bytes: token)])
        #expect(app.registry.pushToken(for: .voIP) == nil)
        app.registry.desiredPushTypes = [.voIP]
        await stage.phone.device.settled()
        #expect(app.tokens.count == 2 && app.tokens[1] != token)
    }

    @Test("A removed app gives its tokens back")
    func removed() async throws {
        let stage = await CallStage()
        let token = try #require(stage.delegate?.tokens.first)
        await stage.phone.perform { $0.uninstall(InstalledApp.caller.bundleID) }
        #expect(stage.phone.courier.unregistered.contains(DeviceToken(bytes: token)))
    }
}
