import APNSProvider
import NIOCore
import NIOPosix
package import PushModel
import PushService

extension ProviderSender: APNSReachability {
    package nonisolated func problem(of environment: APNSEnvironment) async -> String? {
        let endpoint = endpoint(environment)
        do {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(.seconds(3)).connect(host: endpoint.host, port: endpoint.port).get()
            try? await channel.close()
            return nil
        } catch {
            return "\(endpoint.host):\(endpoint.port) cannot be reached: \(error)"
        }
    }
}
