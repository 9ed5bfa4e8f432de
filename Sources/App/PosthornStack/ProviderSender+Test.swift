import APNSProvider
import Foundation
package import PushModel
package import PushService

extension ProviderSender: CredentialTester {
    package func test(_ app: App, _ environment: APNSEnvironment) async -> CredentialTest {
        func result(
            _ isAccepted: Bool,
            _ finding: String,
            answer: APNSProbe.Answer? = nil
        ) -> CredentialTest {
            CredentialTest(
                environment: environment,
                isAccepted: isAccepted,
                status: answer?.status,
                reason: answer?.reason,
                date: answer?.date,
                finding: finding
            )
        }
        let credential: APNSCredential?
        do {
            credential = try await readCredential(of: Destination(app: app.id, environment: environment))
        } catch {
            return result(false, "The credential cannot be used: \(error)")
        }
        guard let credential else {
            return result(false, "The app has no credential for \(environment). 'posthorn credential add' adds one.")
        }
        let endpoint = endpoint(environment)
        let probe = APNSProbe(credential: credential, endpoint: endpoint, timeout: .seconds(10), clock: clock)
        let push = APNSPush(
            id: UUID().uuidString.lowercased(),
            token: Self.noDevice,
            topic: app.bundleID,
            payload: Array(#"{"aps":{}}"#.utf8)
        )
        let answer: APNSProbe.Answer
        do throws(APNSProbe.NoAnswer) { answer = try await probe.send(push) } catch {
            return result(
                false,
                "\(endpoint.host):\(endpoint.port) gave no answer: \(error). A certificate that is revoked, or of another authority, "
                    + "ends the handshake."
            )
        }
        guard let reason = answer.reason, !Self.aboutToken.contains(reason) else {
            return result(
                true,
                "\(endpoint.host):\(endpoint.port) accepts the credential for '\(app.bundleID)'.",
                answer: answer
            )
        }
        let advice = reason.advice(status: answer.status)
        return result(
            false,
            "\(endpoint.host):\(endpoint.port) refuses with \(reason.rawValue): \(advice.clause).",
            answer: answer
        )
    }

    package func credentialsChanged(of app: App.ID) { forgetClients(of: app) }

    /// A token of 32 zero octets, which no device has.
    private static let noDevice = DeviceToken(bytes: [UInt8](repeating: 0, count: 32))
    /// The refusals that say the credential and the topic are right.
    private static let aboutToken: Set<APNSReason> = [.badDeviceToken, .unregistered, .expiredToken]
}
