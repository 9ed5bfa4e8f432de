import Hummingbird
import Logging
import NIOCore
import PushService

/// What is known of a request: the caller, once it has proved itself.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var app: App?
    var group: AppGroup?
    var developer: Developer?
    /// The other end of the connection, which may be a proxy.
    let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }
}
