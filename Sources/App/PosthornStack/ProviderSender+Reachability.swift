import APNSProvider
import Logging
import NIOCore
import NIOPosix
package import PushModel
import PushService

extension ProviderSender: APNSReachability {
    /// The answer is for anyone, so the endpoint and the error are in the log alone.
    package nonisolated func problem(of environment: APNSEnvironment) async -> String? {
        let endpoint = endpoint(environment)
        do {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(.seconds(3)).connect(host: endpoint.host, port: endpoint.port).get()
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
