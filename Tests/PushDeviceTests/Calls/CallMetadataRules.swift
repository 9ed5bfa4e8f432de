import CallKit
import DeviceLink
import PosthornTesting
import PushDevice
import PushKit
import PushModel
import Testing
import UIKit

/// An app whose registry has one of the delegates below.
@MainActor
private final class MetadataApp: UIResponder, UIApplicationDelegate {
    enum Form: CaseIterable {
        /// The method of iOS 26.4 beside that of iOS 11.
        case both
        /// The async method of iOS 26.4 alone; it waits before it reports.
        case async
        /// The method of iOS 11 alone.
        case old
    }

    let registry = PKPushRegistry(queue: .main)
    let receiver: Receiver

    init(_ form: Form) {
        receiver =
            switch form {
            case .both: BothReceiver()
            case .async: AsyncReceiver()
            case .old: OldReceiver()
            }
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        registry.delegate = receiver as? any PKPushRegistryDelegate
        registry.desiredPushTypes = [.voIP]
        return true
    }
}

@MainActor
private class Receiver: NSObject {
    let provider = CXProvider(configuration: CXProviderConfiguration())
    /// The values of `mustReport`; nil for a push without metadata.
    var values: [Bool?] = []
    /// Whether the app reports the pushes that it must report.
    var reports = true

    func received(_ mustReport: Bool?) {
        values.append(mustReport)
        guard reports, mustReport ?? true else { return }
        provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate()) { _ in }
    }
}

extension BothReceiver: @preconcurrency PKPushRegistryDelegate {}

@MainActor
private final class BothReceiver: Receiver {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    // Without `@Sendable`, as most public code has it.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping () -> Void
    ) {
        received(metadata.mustReport)
        completion()
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        received(nil)
        completion()
    }
}

@MainActor
private final class AsyncReceiver: Receiver, @preconcurrency PKPushRegistryDelegate {
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async {
        for await _ in answers { break }
        received(metadata.mustReport)
    }
}

@MainActor
private final class OldReceiver: Receiver, @preconcurrency PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        received(nil)
        completion()
    }
}

/// Sources: Apple, `PKVoIPPushMetadata` and `pushRegistry(_:didReceiveIncomingVoIPPushWith:metadata:withCompletionHandler:)`.
@Suite("Rules of VoIP pushes with metadata (iOS 26.4)")
@MainActor
struct CallMetadataRules {
    private static let new = "pushRegistry(_:didReceiveIncomingVoIPPushWith:metadata:withCompletionHandler:)"
    private static let old = "pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"

    private func phone(_ version: String, _ form: MetadataApp.Form) async -> TestPhone {
        let phone = TestPhone(SystemProfile(version: version))
        phone.install(.caller) { MetadataApp(form) }
        await phone.open(.caller)
        await phone.background(.caller)
        return phone
    }

    private func receiver(_ phone: TestPhone) throws -> Receiver {
        try #require(phone.device.delegate(of: InstalledApp.caller.bundleID, as: MetadataApp.self)).receiver
    }

    @Test("Only one method is called: the new one from iOS 26.4 on", arguments: ["26.0", "26.3", "26.4", "27.0"])
    func onlyOne(_ version: String) async throws {
        let phone = await phone(version, .both)
        let push = await phone.push(voIP: [:], to: .caller)
        let isNew = version >= "26.4"
        #expect(phone.journeys.callbacks(of: push) == ["\(isNew ? Self.new : Self.old)@background"])
        #expect(try receiver(phone).values == [isNew ? true : nil])
        #expect(phone.ringingCall != nil)
    }

    @Test("An app with the old method alone is called as before")
    func oldAlone() async throws {
        let phone = await phone("26.4", .old)
        let push = await phone.push(voIP: [:], to: .caller)
        #expect(phone.journeys.callbacks(of: push) == ["\(Self.old)@background"])
        #expect(phone.ringingCall != nil)
    }

    @Test("An app with the new method alone gets no call before iOS 26.4")
    func newAlone() async throws {
        let phone = await phone("26.3", .async)
        let push = await phone.push(voIP: [:], to: .caller)
        #expect(phone.journeys.kinds(of: push).last == .suppressed(.noPushRegistry))
    }

    @Test("mustReport is false in front, with a call, and for a push that the network delayed")
    func mustReport() async throws {
        let phone = await phone("26.4", .both)
        await phone.open(.caller)
        let inFront = await phone.push(voIP: [:], to: .caller)
        await phone.background(.caller)
        await phone.push(voIP: [:], to: .caller)
        let onCall = await phone.push(voIP: [:], to: .caller)
        try await phone.declineCall()
        // Nobody performs the action: the call ends when it has timed out.
        await phone.advance(by: .seconds(11))
        await phone.push(voIP: [:], to: .caller)
        #expect(try receiver(phone).values == [false, true, false, true])
        #expect(phone.journeys.kinds(of: inFront).last == .suppressed(.reportNotDueInFront))
        #expect(phone.journeys.kinds(of: onCall).last == .suppressed(.reportNotDueOnCall))
    }

    @Test("A push that was stored while the phone had no network is delayed", arguments: ["26.0", "26.4"])
    func delayed(_ version: String) async throws {
        let phone = await phone(version, version == "26.0" ? .old : .both)
        try receiver(phone).reports = version == "26.4"
        phone.courier.drop(phone.device.id)
        await phone.device.settled()
        let expiration = APNSExpiration(rawValue: 4_000_000_000)
        let push = await phone.push([:], to: .caller, type: .voip, expiration: expiration)
        await phone.advance(by: .seconds(60))
        await phone.wait("the push has arrived") { !$0.journeys.kinds(of: push).isEmpty }
        await phone.device.settled()
        if version == "26.0" {
            #expect(phone.device.condition(of: InstalledApp.caller.bundleID) == .notRunning)
        } else {
            #expect(phone.journeys.kinds(of: push).last == .suppressed(.reportNotDueDelayed))
            #expect(try receiver(phone).values == [false])
            let later = await phone.push(voIP: [:], to: .caller)
            #expect(phone.journeys.kinds(of: later).contains(.presented(.call)))
        }
    }

    @Test("The async form counts when it returns, and is ended after 7 seconds without a report", arguments: [6, 8])
    func asyncForm(_ seconds: Int) async throws {
        let phone = await phone("26.4", .async)
        let receiver = try #require(try receiver(phone) as? AsyncReceiver)
        let push = await phone.push(voIP: [:], to: .caller)
        await phone.advance(by: .seconds(seconds))
        if seconds == 6 {
            receiver.answer.yield()
            await phone.wait("it rings") { $0.ringingCall != nil }
            #expect(phone.journeys.kinds(of: push).contains(.presented(.call)))
        } else {
            #expect(phone.device.condition(of: InstalledApp.caller.bundleID) == .notRunning)
            #expect(Verdict(phone.journeys.events(of: push)).sentence.contains("within 7 seconds"))
        }
        receiver.answer.finish()
    }
}
