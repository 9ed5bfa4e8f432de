import DeviceLink
import DeviceLinkNIO
import NIOPosix
import NIOSSL
import PushAPI
import PushModel
import PushService
import Testing

// What an app does with the SDK link.
extension TestAPI {
    enum Heard: Sendable {
        case opened
        case frame(SDKFrame)
        case closed(String)
    }

    /// Opens a link, over TLS if `roots` are given, and returns it with the events on it.
    func openLink(
        path: String = PushAPI.linkPath,
        believing roots: NIOSSLTrustRoots? = nil
    ) -> (any LinkConnection, AsyncStream<Heard>) {
        let (heard, continuation) = AsyncStream<Heard>.makeStream()
        let dialer = WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton, trustRoots: roots ?? .default)
        let link = dialer.open("\(roots == nil ? "ws" : "wss")://127.0.0.1:\(port)\(path)") { event in
            switch event {
            case .opened: continuation.yield(.opened)
            case .received(let text):
                do { continuation.yield(.frame(try SDKFrame(text: text))) } catch { Issue.record(error) }
            case .closed(let why):
                continuation.yield(.closed(why))
                continuation.finish()
            }
        }
        return (link, heard)
    }

    func registration(_ installation: String = "i") -> SDKFrame {
        .register(
            SDKRegistration(
                appKey: app.key.text,
                bundleID: app.bundleID,
                channel: nil,
                environment: .production,
                system: "iOS 17.0",
                installation: installation
            )
        )
    }
}
