import Foundation
import PushClock
import PushModel
import PushStoreConformance
import TestSupport
import Testing

@testable import PushService

@Suite("An operator sees when a certificate ends, and what is used", .suiteLimit)
struct CredentialFactsTests {
    private static let day: TimeInterval = 86_400

    /// Stores a certificate for production that ends after some days.
    private static func addCertificate(endingIn days: Double, to service: TestService) async throws {
        let certificate = SealedCredential.certificate(
            of: service.app.id,
            for: service.app.bundleID,
            endsAt: service.clock.date.addingTimeInterval(days * day),
            at: service.clock.date
        )
        try await service.store.add(certificate)
    }

    private static func addKey(to service: TestService) async throws {
        try await service.store.add(.key(of: service.app.id))
    }

    private static func show(_ service: TestService) async throws -> (credentials: [JSONObject], verdict: String) {
        let parameters: JSONObject = ["app": .string(service.app.key.text)]
        let answer = try await service.core.operators.perform("app.show", JSONValue.object(parameters).bytes)
        return ((answer["credentials"]?.array ?? []).compactMap(\.object), answer["verdict"]?.string ?? "")
    }

    @Test(
        "app.show warns of a certificate that ends, at each threshold",
        arguments: [
            (31.0, nil, "in 31 days."), (30, "in 30 days", "in 30 days:"), (22, "in 22 days", "in 22 days:"),
            (15, "in 15 days", "in 15 days:"), (8, "in 8 days", "in 8 days:"), (1, "in 1 day", "in 1 day:"),
            (0.5, "in less than a day", "in less than a day:"), (0, "expired", "expired on"),
            (-1, "expired", "expired on"),
        ] as [(Double, String?, String)]
    )
    func warning(_ days: Double, _ warning: String?, _ verdict: String) async throws {
        try await TestService.run { service in
            try await Self.addCertificate(endingIn: days, to: service)
            let shown = try await Self.show(service)
            let credential = try #require(shown.credentials.first)
            #expect(credential["days_left"]?.integer == Int64(days.rounded(.down)))
            #expect(credential["used"]?.bool == true)
            guard let warning else {
                #expect(credential["warning"] == .null)
                #expect(shown.verdict.contains("the certificate ends \(verdict)"))
                return
            }
            let sentence = try #require(credential["warning"]?.string)
            #expect(sentence.contains(warning) && sentence.hasSuffix(": issue a new one and add it."), "\(sentence)")
            #expect(shown.verdict.contains(verdict), "\(shown.verdict)")
            #expect(shown.verdict.lowercased().contains("issue a new one and add it."), "\(shown.verdict)")
        }
    }

    @Test("The warning appears when the time comes")
    func timePasses() async throws {
        try await TestService.run { service in
            try await Self.addCertificate(endingIn: 42, to: service)
            #expect(try await Self.show(service).credentials.first?["warning"] == .null)
            await service.clock.advance(by: .seconds(30 * Self.day))
            let warning = try await Self.show(service).credentials.first?["warning"]?.string
            #expect(warning == "The certificate ends in 12 days: issue a new one and add it.")
        }
    }

    @Test("The verdict on an expired certificate, and on one that APNs has refused")
    func verdicts() async throws {
        try await TestService.run { service in
            try await Self.addCertificate(endingIn: -1, to: service)
            let expired = try await Self.show(service).verdict
            #expect(expired.contains("cannot push to production: its certificate expired on"))
            try await Self.addCertificate(endingIn: 200, to: service)
            let until = service.clock.date.addingTimeInterval(60)
            let pause = Pause(reason: .credentialRefused, detail: "BadCertificate", until: until)
            try await service.store.pause(service.app.id, .production, pause)
            let shown = try await Self.show(service)
            #expect(shown.verdict.contains("can push to production; the certificate ends in 200 days."))
            #expect(shown.verdict.contains("But APNs refused it in production: BadCertificate."))
            #expect(shown.credentials.map { $0["refused"] } == [.null, "BadCertificate in production"])
        }
    }

    @Test("A certificate beside a key is not used: no warning, and the verdict says so")
    func keyGoesFirst() async throws {
        try await TestService.run { service in
            try await Self.addCertificate(endingIn: 3, to: service)
            try await Self.addKey(to: service)
            let shown = try await Self.show(service)
            #expect(shown.credentials.map { $0["used"]?.bool } == [false, true])
            #expect(shown.credentials.allSatisfy { $0["warning"] == .null })
            #expect(shown.verdict.contains("with key ABCDE12345 of team TEAM123456."))
            #expect(shown.verdict.hasSuffix("The key goes first: the app's certificates are not used."))
        }
    }
}
