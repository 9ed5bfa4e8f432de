import Hummingbird
import Logging
import NIOCore
import PushService

/// The context of a request, with the caller after authentication.
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
