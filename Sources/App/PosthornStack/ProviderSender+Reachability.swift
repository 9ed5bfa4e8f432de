import APNSProvider
import Logging
import NIOCore
import NIOPosix
package import NetworkSupport
package import PushModel
import PushService

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
        (self.setting, self.proxy, self.host, self.port) = (setting, proxy, host, port)
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
                    let tunnel = HTTPProxyTunnel(through: self, to: host, port: port)
                    try channel.pipeline.syncOperations.addHandler(tunnel)
                }
            }.connect(host: self.host, port: self.port).get()
        } catch { throw HTTPExchange.readable(error) }
    }
}
