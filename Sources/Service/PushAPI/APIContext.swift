import Hummingbird
import NIOCore
import PushService

/// The rest of the way of a request, after a middleware.
typealias APINext = (Request, APIContext) async throws -> Response

/// The context of a request, with the caller after authentication.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var app: App?
    /// The app as which a page calls the API; nil for a request from outside.
    var verifiedApp: App?
    var group: AppGroup?
    var developer: Developer?
    /// The device that has authenticated itself.
    var device: DeviceID?
    /// The other end of the connection, which may be a proxy.
    let peer: SocketAddress?
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
        channel = source.channel
    }
}
