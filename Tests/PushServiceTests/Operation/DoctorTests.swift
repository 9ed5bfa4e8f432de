import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Checks of posthorn doctor", .suiteLimit)
struct DoctorTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let day: TimeInterval = 86_400
    private let app: App

    init() throws {
        app = App(
            id: 1,
            key: try #require(AppKey("0123456789abcdef01234567")),
            secretHash: SecretHash(of: "secret"),
            name: "Shop",
            bundleID: "com.example.shop",
            defaultEnvironment: .production,
            createdAt: now
        )
    }

    /// Expects one finding of this name, in this state; everything but `ok` names a remedy.
    private func expect(
        _ findings: [Finding],
        _ check: String,
        _ state: Finding.State,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = findings.filter { $0.check == check }
        #expect(found.map(\.state) == [state], "\(found)", sourceLocation: sourceLocation)
        if state == .wrong || state == .warning {
            #expect(found.allSatisfy { $0.remedy != nil }, sourceLocation: sourceLocation)
        }
        for finding in found {
            let read = try? JSONCoding.read(Finding.self, from: JSONCoding.json(of: finding))
            #expect(read == finding, sourceLocation: sourceLocation)
            #expect(
                !finding.remarks.isEmpty,
                "The portal says it in the user's language.",
                sourceLocation: sourceLocation
            )
            let words = finding.found + (finding.remedy ?? "")
            #expect(!words.contains("{"), "Each place has its value: \(words)", sourceLocation: sourceLocation)
        }
    }

    // MARK: - The machine

    private func machine(
        free: Int64? = 50 << 30,
        files: Int = 1_048_576,
        readable: [Remark] = [],
        _ encryption: MachineFacts.Encryption? = .local
    ) -> [Finding] {
        let limits = MachineFacts.Limits(openFiles: files, connections: 10_000)
        return MachineFacts(freeBytes: free, limits: limits, readable: readable, encryption: encryption)
            .findings(at: now)
    }

    @Test("The disk has room, little room or none")
    func disk() {
        expect(machine(), "disk", .ok)
        expect(machine(free: 500 << 20), "disk", .warning)
        expect(machine(free: 50 << 20), "disk", .wrong)
        expect(machine(free: nil), "disk", .unknown)
    }

    @Test("The limit of open files suffices for the connections, or does not")
    func openFiles() {
        expect(machine(), "open-files", .ok)
        expect(machine(files: 10_256), "open-files", .ok)
        expect(machine(files: 10_255), "open-files", .warning)
    }

    @Test("Secrets are for the service's user alone, or are not")
    func permissions() {
        expect(machine(), "permissions", .ok)
        let readable = Remark(.fileReadable, ["path": "secret.key", "mode": "644", "wanted": "600"])
        expect(machine(readable: [readable, readable]), "permissions", .wrong)
    }

    @Test("The API is encrypted, local, or open to readers; its certificate ends")
    func encryption() {
        expect(machine(), "tls", .ok)
        expect(machine(.none(host: "0.0.0.0")), "tls", .wrong)
        expect(machine(.certificate(notAfter: now + 90 * day)), "tls", .ok)
        expect(machine(.certificate(notAfter: now + 10 * day)), "tls", .warning)
        expect(machine(.certificate(notAfter: now - day)), "tls", .wrong)
    }

    @Test("Without a service, its limits and its encryption are not judged")
    func noService() {
        let findings = MachineFacts(freeBytes: 50 << 30, readable: []).findings(at: now)
        #expect(findings.map(\.check) == ["disk", "permissions"])
    }

    // MARK: - The service

    @Test("The disk takes writes and APNs can be reached, or not")
    func readiness() {
        func findings(_ store: String?, _ apns: [APNSEnvironment: String]) -> [Finding] {
            Doctor.findings(of: Readiness.Report(store: store, apns: apns, isDraining: false))
        }
        for check in ["service", "store", "apns.development", "apns.production"] {
            expect(findings(nil, [:]), check, .ok)
        }
        expect(findings("The disk is full.", [:]), "store", .wrong)
        let unreachable = findings(nil, [.development: "cannot be reached"])
        expect(unreachable, "apns.development", .wrong)
        expect(unreachable, "apns.production", .ok)
    }

    @Test("The queue is in time, behind, or held back by a credential")
    func queue() {
        func finding(due: TimeInterval, pausedFor pause: TimeInterval?) -> [Finding] {
            let lane = WaitingLane(
                lane: Lane(app: 1, environment: .production, .immediate),
                dueAt: now + due,
                pausedUntil: pause.map { now + $0 }
            )
            return [Doctor.queue([lane], at: now)]
        }
        expect([Doctor.queue([], at: now)], "queue", .ok)
        expect(finding(due: -30, pausedFor: nil), "queue", .ok)
        expect(finding(due: 3600, pausedFor: nil), "queue", .ok)
        expect(finding(due: -90, pausedFor: nil), "queue", .warning)
        expect(finding(due: -90, pausedFor: 60), "queue", .warning)
        expect(finding(due: -90, pausedFor: -10), "queue", .ok)
        #expect(finding(due: -90, pausedFor: 60)[0].found.contains("credential"))
    }

    // MARK: - The app

    private func certificate(
        _ environment: APNSEnvironment,
        endsIn days: Double,
        topic: String? = nil
    ) -> SealedCredential {
        .certificate(of: app.id, for: topic ?? app.bundleID, in: [environment], endsAt: now + days * day)
    }

    @Test("The certificate is for the app's bundle id, or for another")
    func bundleID() {
        expect(findings([certificate(.production, endsIn: 90)]), "app", .ok)
        let other = findings([certificate(.production, endsIn: 90, topic: "com.example.other")])
        expect(other, "app", .wrong)
        #expect(other.first?.found.contains("is for 'com.example.other'") == true)
    }

    private var key: SealedCredential { .key(of: app.id) }

    private func findings(
        _ credentials: [SealedCredential],
        tests: [APNSEnvironment: CredentialTest]? = nil,
        builds: [APNSEnvironment: Int]? = [.production: 3]
    ) -> [Finding] {
        let facts = CredentialFacts(set: CredentialSet(of: app, credentials), pauses: [:], now: now)
        return AppSetupFacts(app: app, credentials: facts, tests: tests, builds: builds).findings(at: now)
    }

    @Test("A credential is there, ends, has ended, is missing, or is not needed")
    func credential() {
        expect(findings([key]), "credential.production", .ok)
        expect(findings([key]), "credential.development", .ok)
        expect(findings([certificate(.production, endsIn: 200)]), "credential.production", .ok)
        expect(findings([certificate(.production, endsIn: 12)]), "credential.production", .warning)
        expect(findings([certificate(.production, endsIn: -1)]), "credential.production", .wrong)
        expect(findings([]), "credential.production", .wrong)
        expect(findings([]), "credential.development", .ok)
        expect(findings([], builds: [.development: 1]), "credential.development", .wrong)
    }

    /// The trial of the credential for production.
    private func trial(
        _ reason: APNSReason?,
        status: Int = 403
    ) -> [APNSEnvironment: CredentialTest] {
        let test = CredentialTest(
            environment: .production,
            isAccepted: false,
            status: reason == nil ? nil : status,
            reason: reason,
            remarks: [reason.map { Remark(.trialRefused, Self.values(of: $0, status)) } ?? Self.silence]
        )
        return [.production: test]
    }

    private static func values(of reason: APNSReason, _ status: Int) -> [String: String] {
        let advice = reason.advice(status: status)
        return ["place": "apns", "reason": reason.rawValue, "advice": advice.clause, "remedy": advice.remedy]
    }
    private static let silence = Remark(.trialUnanswered, ["place": "apns", "detail": "It closed the connection."])

    @Test(
        "APNs refuses the credential: the remedy is the reason's own",
        arguments: [
            APNSReason.topicDisallowed, .invalidProviderToken, .badCertificate, .badCertificateEnvironment, .forbidden,
            .badEnvironmentKeyInToken, .unrelatedKeyIdInToken,
        ]
    )
    func refusal(_ reason: APNSReason) {
        let found = findings([key], tests: trial(reason))
        expect(found, "credential.production", .wrong)
        expect(found, "credential.development", .ok)
        let remedy = found.first { $0.check == "credential.production" }?.remedy
        #expect(remedy?.hasPrefix(reason.advice.remedy) == true, "\(remedy ?? "")")
    }

    @Test("A certificate that APNs does not believe must be replaced")
    func badCertificate() {
        let found = findings([certificate(.production, endsIn: 90)], tests: trial(.badCertificate))
        let remedy = found.first { $0.check == "credential.production" }?.remedy
        #expect(remedy?.contains("A revoked certificate must be replaced") == true)
    }

    @Test(
        "An answer that may pass says nothing about the credential",
        arguments: [
            (429, APNSReason.tooManyRequests), (500, .internalServerError), (503, .serviceUnavailable),
            (503, APNSReason(rawValue: "HTTP 503")),
        ]
    )
    func temporary(_ status: Int, _ reason: APNSReason) {
        let found = findings([key], tests: trial(reason, status: status))
        expect(found, "credential.production", .unknown)
        #expect(found.contains { $0.remedy?.contains("later") == true })
    }

    @Test("APNs accepts the credential, or gives no answer")
    func answer() {
        var accepted = trial(.badDeviceToken, status: 400)
        accepted[.production]?.isAccepted = true
        expect(findings([key], tests: accepted), "credential.production", .ok)
        let silent = findings([key], tests: trial(nil))
        expect(silent, "credential.production", .wrong)
        #expect(silent.contains { $0.remedy?.contains("TCP 443") == true })
    }

    @Test("An expired certificate is called that, whatever its trial says")
    func expired() {
        let found = findings([certificate(.production, endsIn: -1)], tests: trial(nil))
        expect(found, "credential.production", .wrong)
        let finding = found.first { $0.check == "credential.production" }
        #expect(finding?.found.contains("expired on") == true)
        #expect(finding?.remedy?.contains("Issue a new certificate") == true)
    }

    @Test("The setting has a credential, or none")
    func setting() {
        expect(findings([key]), "setting", .ok)
        expect(findings([]), "setting", .wrong)
        let other = findings([certificate(.development, endsIn: 100)])
        expect(other, "setting", .wrong)
        #expect(other.contains { $0.remedy?.contains("--environment development") == true })
    }

    @Test("Devices have the build that the app is set to, the other one, or there are none")
    func builds() {
        expect(findings([key]), "builds", .ok)
        expect(findings([key], builds: [.development: 2]), "builds", .warning)
        expect(findings([key], builds: [:]), "builds", .warning)
        #expect(!findings([key], builds: nil).contains { $0.check == "builds" })
    }

    @Test(
        "The clock agrees with APNs, is a little off, or far",
        arguments: [
            (10.0, Finding.State.ok), (-10, .ok), (120, .warning), (-7200, .wrong),
        ]
    )
    func clock(_ ahead: TimeInterval, _ state: Finding.State) {
        let test = CredentialTest(
            environment: .production,
            isAccepted: true,
            status: 400,
            date: now - ahead
        )
        expect(findings([key], tests: [.production: test]), "clock", state)
        #expect(!findings([key], tests: [:]).contains { $0.check == "clock" })
        #expect(!findings([key], tests: trial(nil)).contains { $0.check == "clock" }, "There is no answer.")
        expect(findings([key], tests: trial(.forbidden)), "clock", .unknown)
    }

    // MARK: - The device

    private func device(
        credentials: Set<APNSEnvironment> = [.development, .production],
        presence: Presence = .online,
        _ change: (inout RegisteredDevice) -> Void = { _ in }
    ) -> [Finding] {
        var device = RegisteredDevice(
            id: DeviceID(app: app.id, ordinal: 0),
            installation: "i",
            secretHash: SecretHash(of: "s"),
            token: DeviceToken(bytes: [UInt8](repeating: 1, count: 32)),
            environment: .production,
            tokenRegisteredAt: now,
            lastSeen: now
        )
        change(&device)
        return DeviceFacts(
            device: device,
            presence: presence,
            app: app,
            credentials: credentials,
            separated: device.separation == nil ? nil : "1a"
        ).findings()
    }

    @Test("Two phones have shared the registration")
    func shared() {
        #expect(!device().contains { $0.check == "shared" })
        let findings = device { $0.separation = RegisteredDevice.Separation(date: now, ordinal: 7) }
        expect(findings, "shared", .warning)
        #expect(
            findings.contains { $0.found.hasSuffix("is now registered as 1a: both were restored from one backup.") }
        )
    }

    @Test("The token is there, missing, or refused")
    func token() {
        expect(device(), "token", .ok)
        expect(device { $0.token = nil }, "token", .wrong)
        expect(device { $0.tokenRefusal = .badDeviceToken }, "token", .wrong)
    }

    @Test("Build, credential and setting agree, or not")
    func build() {
        expect(device(), "build", .ok)
        expect(device { $0.environment = .development }, "build", .warning)
        expect(device(credentials: [.development]), "build", .wrong)
    }

    @Test("Push is on or off, and the device online or not")
    func state() {
        expect(device(), "device", .ok)
        #expect(device().contains { $0.found.contains("last seen on \(now.formatted(.iso8601))") })
        expect(device(), "switch", .ok)
        expect(device { $0.isStopped = true }, "switch", .wrong)
        expect(device(), "link", .ok)
        expect(device(presence: .offline(lastSeen: now)), "link", .warning)
    }

    @Test("The device has an alias or tags, or neither")
    func names() {
        expect(device(), "names", .warning)
        expect(device { $0.alias = "anna" }, "names", .ok)
        let named = device { ($0.alias, $0.tags) = ("anna", ["vip"]) }
        expect(named, "names", .ok)
        #expect(named.contains { $0.check == "names" && $0.found.contains("'anna'") && $0.found.contains("'vip'") })
    }

    @Test("The app has reset its badge, or not")
    func badge() {
        expect(device(), "badge", .ok)
        let counted = device { $0.badge = 4 }
        expect(counted, "badge", .warning)
        #expect(counted.contains { $0.check == "badge" && $0.found.contains("'+1' makes it 5") })
    }

    // MARK: - The push

    private func push(target: Int, sent: Int, custom: Int = 0) -> [Finding] {
        var counts = MessageCounts()
        counts.target = target
        counts.sent = sent
        counts.custom.target = custom
        return MessageFacts(message: MessageID(7), counts: counts, hasDevice: false).findings()
    }

    @Test("The push was sent to all, to some, to nobody, or is unknown")
    func message() {
        expect(push(target: 2, sent: 2), "message", .ok)
        expect(push(target: 0, sent: 0, custom: 1), "message", .ok)
        expect(push(target: 2, sent: 1), "message", .warning)
        expect(push(target: 0, sent: 0), "message", .wrong)
        let unknown = MessageFacts(
            message: MessageID(7),
            absence: Remark(.messageDeleted, ["count": 3]),
            hasDevice: true
        ).findings()
        expect(unknown, "message", .wrong)
        #expect(unknown.first?.found.hasPrefix("The push was deleted 3 days after") == true)
    }

    @Test(
        "The way to the device ended well, goes on, ended badly, or the push was not for it",
        arguments: [
            (Verdict.State.shown, Finding.State.ok), (.sent, .ok), (.waiting, .warning), (.paused, .warning),
            (.suppressed, .wrong), (.refused, .wrong), (.expired, .wrong),
        ]
    )
    func journey(_ verdict: Verdict.State, _ state: Finding.State) throws {
        var journey = Journey(msgID: "7", registrationID: "abc123")
        journey.verdict.state = verdict
        var facts = MessageFacts(message: MessageID(7), counts: MessageCounts(), hasDevice: true)
        expect(facts.findings(), "journey", .wrong)
        facts.journey = journey
        expect(facts.findings(), "journey", state)
    }

    // MARK: - The payload

    private func payload(
        _ members: String,
        timeToLive: Int64 = 86_400,
        to presence: Presence? = nil,
        build: APNSEnvironment = .production
    ) throws -> Finding {
        let message = Message(
            id: MessageID(7),
            app: app.id,
            acceptedAt: now,
            body: Array(#"{"platform":"ios","audience":"all",\#(members)}"#.utf8),
            environment: .production,
            timeToLive: timeToLive,
            sendno: 0,
            cid: nil
        )
        let device = RegisteredDevice(
            id: DeviceID(app: app.id, ordinal: 0),
            installation: "i",
            secretHash: SecretHash(of: "s"),
            token: nil,
            environment: build,
            tokenRegisteredAt: now,
            lastSeen: now
        )
        return try #require(PayloadFacts(message, to: presence.map { (device, $0) })).finding
    }

    private static func ios(_ members: String) -> String { #""notification":{"ios":{\#(members)}}"# }
    private static let full = ios(#""alert":"Hi","sound":"default","mutable-content":true"#)

    @Test(
        "The members that a push leaves out are named",
        arguments: [
            (ios(#""content-available":true"#), "is silent"),
            (ios(#""content-available":true,"badge":1"#), "content-available and no alert"),
            (ios(#""alert":"","badge":1"#), "has no alert"),
            (ios(#""alert":"Hi","mutable-content":true"#), "has no sound"),
            (ios(#""alert":"Hi","sound":"ping","mutable-content":true"#), "'ping' has no extension"),
            (ios(#""alert":"Hi","sound":"default""#), "no mutable-content"),
            (#""message":{"msg_content":"Hi"}"#, "no notification"),
        ]
    )
    func incompletePayload(_ members: String, _ sentence: String) throws {
        let finding = try payload(members)
        expect([finding], "payload", .warning)
        #expect(finding.found.contains(sentence), "\(finding.found)")
    }

    @Test("A push with everything is right, unless it misses the device")
    func payload() throws {
        expect([try payload(Self.full)], "payload", .ok)
        expect([try payload(Self.full, timeToLive: 0)], "payload", .ok)
        expect([try payload(Self.full, timeToLive: 0, to: .online)], "payload", .ok)
        let offline = try payload(Self.full, timeToLive: 0, to: .offline(lastSeen: now))
        expect([offline], "payload", .warning)
        #expect(offline.found.contains("time_to_live is 0"))
        let other = try payload(Self.full, to: .online, build: .development)
        expect([other], "payload", .warning)
        #expect(other.remedy?.contains("apns_production: false") == true)
    }
}
