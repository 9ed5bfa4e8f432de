import APNSProvider
import AppleDeveloper
import Foundation
package import PushModel
package import PushService

extension ProviderSender: CredentialTester {
    package func test(_ app: App, _ environment: APNSEnvironment) async -> CredentialTest {
        let credential: APNSCredential
        do {
            guard let found = try await readCredential(of: Destination(app: app.id, environment: environment)) else {
                return CredentialTest(
                    environment: environment,
                    isAccepted: false,
                    finding: "The app has no credential for \(environment). 'posthorn credential add' adds one.",
                    remedy: "Add one with 'posthorn credential add \(app.key)'."
                )
            }
            credential = found
        } catch {
            return CredentialTest(
                environment: environment,
                isAccepted: false,
                finding: "The credential cannot be used: \(error)",
                remedy: "Replace it with 'posthorn credential add \(app.key)'."
            )
        }
        return await test(credential, of: app, in: environment)
    }

    private func test(
        _ credential: APNSCredential,
        of app: App,
        in environment: APNSEnvironment
    ) async -> CredentialTest {
        let endpoint = endpoint(environment)
        let place = "\(endpoint.host):\(endpoint.port)"
        let probe = APNSProbe(credential: credential, endpoint: endpoint, timeout: .seconds(10), clock: clock)
        let push = APNSPush(
            id: UUID().uuidString.lowercased(),
            token: Self.noDevice,
            topic: app.bundleID,
            payload: Array(#"{"aps":{}}"#.utf8)
        )
        var test = CredentialTest(
            environment: environment,
            isAccepted: false,
            topics: credential.certificate?.topics,
            finding: ""
        )
        do throws(APNSProbe.NoAnswer) {
            test.read(try await probe.send(push), from: place, of: app)
            if test.reason == .badCertificate, let cause = Self.cause(credential, at: endpoint) {
                test.finding += " \(cause)"
            }
        } catch {
            let blame = Self.blame(credential, for: error)
            test.finding = ["\(place) gave no answer: \(error)", blame].compactMap(\.self).joined(separator: " ")
            test.remedy = blame.map { "\($0) Try another with 'posthorn credential add \(app.key)'." }
        }
        return test
    }

    /// Returns a sentence if the credential may be the reason why there is no answer: a server can end the handshake because of a
    /// certificate, and for no key.
    private static func blame(_ credential: APNSCredential, for error: APNSProbe.NoAnswer) -> String? {
        guard credential.certificate != nil, error.isHandshake else { return nil }
        return "A server may end the handshake if the certificate is revoked, or of an authority that it does not know."
    }

    /// Returns a sentence that says why a gateway does not accept a certificate; nil if its authority is not known here, as Apple's
    /// is not. An expired certificate is not sent.
    private static func cause(_ credential: APNSCredential, at endpoint: APNSEndpoint) -> String? {
        guard let certificate = credential.certificate, case .file(let path) = endpoint.trust,
            let authorities = try? String(contentsOfFile: path, encoding: .utf8), let der = try? certificate.der(),
            let isIssued = GatewayAuthority.hasIssued(der, authorities: authorities)
        else { return nil }
        return isIssued
            ? "The gateway's authority has issued it, so it was probably revoked."
            : "Its issuer is not the gateway's authority, so the issuer is probably unknown there."
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
            finding = "\(place) accepts the credential for '\(app.bundleID)'."
            return
        }
        finding = "\(place) refuses with \(reason.rawValue): \(reason.advice(status: answer.status).clause)."
    }
}

extension APNSCredential {
    fileprivate var certificate: APNSCertificate? {
        if case .certificate(let certificate) = self { certificate } else { nil }
    }
}
