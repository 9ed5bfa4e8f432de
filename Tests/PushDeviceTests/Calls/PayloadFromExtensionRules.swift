import CallKit
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import Synchronization
import Testing
import UIKit

/// Source: Apple, `reportNewIncomingVoIPPushPayload(_:completion:)`, and the entitlement
/// `com.apple.developer.usernotifications.filtering`.
@Suite("VoIP payloads of service extensions")
@MainActor
struct PayloadFromExtensionRules {
    /// The codes of the errors that the extension received, 0 for none.
    private final class Results: Sendable {
        private let codes = Mutex<[Int]>([])

        func add(_ error: (any Error)?) {
            codes.withLock { $0.append(error.map { ($0 as NSError).code } ?? 0) }
        }
        var all: [Int] { codes.withLock { $0 } }
    }

    /// Decrypts a call, passes it on, and shows nothing.
    private final class Decryption: UNNotificationServiceExtension {
        private let results: Results

        init(_ results: Results) {
            self.results = results
            super.init()
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let call: [AnyHashable: Any] = ["uuid": CallStage.ann, "caller": "Ann", "key": Data([1])]
            let results = results
            CXProvider.reportNewIncomingVoIPPushPayload(call) { results.add($0) }
            contentHandler(UNNotificationContent())
        }
    }

    private func phone(_ app: InstalledApp, _ results: Results) async -> TestPhone {
        let phone = TestPhone()
        phone.install(app, serviceExtension: { Decryption(results) }) { CallApp() }
        await phone.open(app)
        await phone.device.inside(app.bundleID) {
            _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert])
        }
        await phone.background(app)
        return phone
    }

    private static let alert: JSONValue = ["aps": ["alert": "A call", "mutable-content": 1]]

    @Test("A service extension that may filter passes a payload on as a VoIP push, and shows nothing")
    func passedOn() async throws {
        var app = InstalledApp.caller
        app.entitlements = [.filtering]
        let results = Results()
        let phone = await phone(app, results)
        let push = await phone.push(Self.alert, to: app)
        #expect(results.all == [0])
        #expect(phone.ringingCall?.name == "Ann", "\(phone.story)")
        #expect(phone.device.screen.list.isEmpty && phone.device.screen.banner == nil)
        #expect(phone.journeys.kinds(of: push).contains(.presented(.call)))
    }

    @Test("Without the entitlement, and outside of a service extension, it is an error")
    func errors() async throws {
        let results = Results()
        let phone = await phone(.caller, results)
        await phone.push(Self.alert, to: .caller)
        let missing = CXErrorCodeNotificationServiceExtensionError.missingNotificationFilteringEntitlement
        #expect(results.all == [missing.rawValue])
        #expect(phone.calls.isEmpty && phone.device.screen.list.count == 1)
        let error = await phone.device.inside(InstalledApp.caller.bundleID) { () async -> (any Error)? in
            do { try await CXProvider.reportNewIncomingVoIPPushPayload([:]) } catch { return error }
            return nil
        }
        let typed = (error ?? nil) as? CXErrorCodeNotificationServiceExtensionError
        #expect(typed?.code == .invalidClientProcess)
        #expect(typed.map { ($0 as NSError).domain } == CXErrorDomainNotificationServiceExtension)
    }
}
