import APNSProvider
import AppleDeveloper
import Foundation
import Logging
import NIOCore
import NIOPosix
package import NetworkSupport
package import PushModel
package import PushService

extension ProviderSender: CredentialTester {
    package func test(_ trial: CredentialTrial) async -> CredentialTest {
        let app = trial.app
        let environment = trial.environment
        let topic = trial.topic.topic(of: app.bundleID)
        var test = CredentialTest(environment: environment, isAccepted: false)
        let credential: APNSCredential
        do {
            guard let found = try await self.credential(of: trial, topic) else {
                test.remarks = [Remark(.trialWithoutCredential, ["environment": environment.rawValue, "app": app.key])]
                return test
            }
            credential = try open(found)
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
            topic: topic,
            pushType: trial.topic.pushType,
            payload: Array(#"{"aps":{}}"#.utf8)
        )
        do throws(APNSProbe.NoAnswer) {
            test.read(try await probe.send(push), from: place, topic)
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

    private func credential(of trial: CredentialTrial, _ topic: String) async throws -> SealedCredential? {
        guard let id = trial.credential else {
            return try await choice(for: topic, of: trial.app.id, in: trial.environment)
        }
        return try await vault.store.credentials(of: trial.app.id).first { $0.id == id }
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
    static let aboutToken: Set<APNSReason> = [.badDeviceToken, .unregistered, .expiredToken]

    fileprivate mutating func read(_ answer: APNSProbe.Answer, from place: String, _ topic: String) {
        status = answer.status
        reason = answer.reason
        date = answer.date
        guard let reason = answer.reason, !Self.aboutToken.contains(reason) else {
            isAccepted = true
            remarks = [Remark(.trialAccepted, ["place": place, "bundleID": topic])]
            return
        }
        let advice = reason.advice(status: answer.status)
        let values = ["place": place, "reason": reason.rawValue, "advice": advice.clause, "remedy": advice.remedy]
        remarks = [Remark(.trialRefused, values)]
    }
}

extension ProviderSender: APNSReachability {
    /// The answer is for anyone, so the endpoint and the error are in the log alone.
    package nonisolated func problem(of environment: APNSEnvironment) async -> String? {
        let endpoint = endpoint(environment)
        do {
            let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connectTimeout(.seconds(3))
            let channel =
                if let proxy = endpoint.proxy {
                    try await proxy.tunnel(bootstrap, to: endpoint.host, port: endpoint.port)
                } else {
                    try await bootstrap.connect(host: endpoint.host, port: endpoint.port).get()
                }
            try? await channel.close()
            return nil
        } catch {
            logger.warning(
                "APNs cannot be reached",
                metadata: [
                    "apns.environment": "\(environment)", "server.address": "\(endpoint.host)",
                    "server.port": "\(endpoint.port)", "error": "\(error)",
                ]
            )
            return "cannot be reached"
        }
    }
}

/// A proxy of the service's settings, which `posthorn doctor` tries.
package struct ProxyCheck: Sendable {
    /// The key of its setting.
    var setting: String
    var proxy: HTTPProxy
    /// The server to which a tunnel is tried.
    var host: String
    var port: Int

    package init(_ setting: String, _ proxy: HTTPProxy, to host: String, port: Int) {
        self.setting = setting
        self.proxy = proxy
        self.host = host
        self.port = port
    }

    /// Tries to open a tunnel.
    ///
    /// A proxy that refuses this one server is not at fault: whether APNs can be reached is a check of its own.
    func facts() async -> ProxyFacts {
        var facts = ProxyFacts(setting: setting, address: proxy.address)
        do {
            let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connectTimeout(.seconds(3))
            try await proxy.tunnel(bootstrap, to: host, port: port).close()
        } catch let failure as HTTPProxy.Failure where failure.status != nil && failure.status != 407 {
            return facts
        } catch { facts.problem = "\(error)" }
        return facts
    }
}

extension HTTPProxy {
    /// Opens a tunnel to a server; the timeout of the bootstrap is that for all of it.
    func tunnel(_ bootstrap: ClientBootstrap, to host: String, port: Int) async throws -> any Channel {
        do {
            return try await bootstrap.channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tunnel = try HTTPProxyTunnel(through: self, to: host, port: port)
                    try channel.pipeline.syncOperations.addHandler(tunnel)
                }
            }.connect(host: self.host, port: self.port).get()
        } catch { throw HTTPExchange.readable(error) }
    }
}
