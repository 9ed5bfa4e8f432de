import APNSProvider
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("Advice about reasons")
struct AdviceTests {
    /// Apple, "Handling notification responses from APNs", read October 2026.
    private static let documented = [
        "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
        "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
        "MissingTopic", "PayloadEmpty", "TopicDisallowed", "BadCertificate", "BadCertificateEnvironment",
        "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
        "BadEnvironmentKeyInToken", "BadPath", "MethodNotAllowed", "ExpiredToken", "Unregistered", "PayloadTooLarge",
        "TooManyProviderTokenUpdates", "TooManyRequests", "InternalServerError", "ServiceUnavailable", "Shutdown",
    ]

    @Test("Every documented reason has advice in whole sentences")
    func all() {
        #expect(APNSReason.documented.map(\.rawValue) == Self.documented)
        for reason in APNSReason.documented {
            #expect(reason.advice.meaning.hasSuffix("."), "\(reason)")
            #expect(reason.advice.remedy.hasSuffix("."), "\(reason)")
        }
    }

    @Test("The table in the documentation says the same")
    func table() throws {
        let text = try ProjectFolder.text(of: "Documentation/Compatibility/APNs.md")
        let rows = text.split(separator: "\n").map(String.init)
        for reason in APNSReason.documented {
            let advice: APNSAdvice = reason.advice
            let action =
                switch advice.action {
                case .retry: "retry"
                case .dropToken: "drop the token"
                case .pauseCredential: "pause the credential"
                case .reportProblem: "tell the user"
                }
            let row = "| \(reason.status) | `\(reason)` | \(action) | \(advice.meaning) | \(advice.remedy) |"
            #expect(rows.contains(row), "missing: \(row)")
        }
    }

    @Test("A token is dropped for what means that it is dead, and for nothing else")
    func dead() {
        let dropping = APNSReason.documented.filter { $0.advice.action == .dropToken }
        #expect(dropping == [.expiredToken, .unregistered])
    }

    @Test("An unknown reason is judged by its status")
    func unknown() {
        let odd = APNSReason(rawValue: "TooFunny")
        #expect(odd.advice.action == .reportProblem)
        #expect(odd.advice(status: 400).action == .reportProblem)
        #expect(odd.advice(status: 410).action == .dropToken)
        for status in [429, 500, 503] { #expect(odd.advice(status: status).action == .retry) }
    }
}
