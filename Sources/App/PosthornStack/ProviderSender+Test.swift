import APNSProvider
import AppleDeveloper
import Foundation
package import PushModel
package import PushService

extension ProviderSender: CredentialTester {
    package func test(_ app: App, _ environment: APNSEnvironment) async -> CredentialTest {
        var test = CredentialTest(environment: environment, isAccepted: false)
        let credential: APNSCredential
        do {
            guard let found = try await readCredential(of: Destination(app: app.id, environment: environment)) else {
                test.remarks = [
                    Remark(.trialWithoutCredential, ["environment": environment.rawValue, "app": app.key])
                ]
                return test
            }
            credential = found
        } catch {
            test.remarks = [Remark(.trialUnusable, ["detail": "\(error)", "app": app.key])]
            return test
        }
        test.topics = credential.certificate?.topics
        let endpoint = endpoint(environment)
        let place = "\(endpoint.host):\(endpoint.port)"
        let probe = APNSProbe(credential: credential, endpoint: endpoint, timeout: .seconds(10), clock: clock)
        let push = APNSPush(
            id: UUID().uuidString.lowercased(),
            token: Self.noDevice,
            topic: app.bundleID,
            payload: Array(#"{"aps":{}}"#.utf8)
        )
        do throws(APNSProbe.NoAnswer) {
            test.read(try await probe.send(push), from: place, of: app)
            if test.reason == .badCertificate, let cause = Self.cause(credential, at: endpoint) {
                test.remarks.append(cause)
            }
        } catch {
            // A server can end the handshake because of a certificate, and for no key.
            let isBlamed = credential.certificate != nil && error.isHandshake
            let values = ["place": place, "detail": "\(error)", "app": app.key.text]
            test.remarks = [Remark(isBlamed ? .trialHandshakeEnded : .trialUnanswered, values)]
        }
        return test
    }

    /// Returns a remark that says why a gateway does not accept a certificate; nil if its authority is not known here, as Apple's
    /// is not. An expired certificate is not sent.
    private static func cause(_ credential: APNSCredential, at endpoint: APNSEndpoint) -> Remark? {
        guard let certificate = credential.certificate, case .file(let path) = endpoint.trust,
            let authorities = try? String(contentsOfFile: path, encoding: .utf8), let der = try? certificate.der(),
            let isIssued = GatewayAuthority.hasIssued(der, authorities: authorities)
        else { return nil }
        return Remark(isIssued ? .trialRevoked : .trialUnknownIssuer)
    }

    package func credentialsChanged(of app: App.ID) { forgetClients(of: app) }

    /// A token of 32 zero octets, which no device has.
    private static let noDevice = DeviceToken(bytes: [UInt8](repeating: 0, count: 32))
}

extension CredentialTest {
    /// The refusals that say the credential and the topic are right.
    private static let aboutToken: Set<APNSReason> = [.badDeviceToken, .unregistered, .expiredToken]

    fileprivate mutating func read(_ answer: APNSProbe.Answer, from place: String, of app: App) {
        (status, reason, date) = (answer.status, answer.reason, answer.date)
        guard let reason = answer.reason, !Self.aboutToken.contains(reason) else {
            isAccepted = true
            remarks = [Remark(.trialAccepted, ["place": place, "bundleID": app.bundleID])]
            return
        }
        let advice = reason.advice(status: answer.status)
        let values = [
            "place": place, "reason": reason.rawValue, "advice": advice.clause, "remedy": advice.remedy,
        ]
        remarks = [Remark(.trialRefused, values)]
    }
}
