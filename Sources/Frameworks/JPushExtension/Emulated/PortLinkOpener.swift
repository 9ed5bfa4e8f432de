import DeviceLink
import Foundation
import PosthornClient
import SystemPort

/// Links over the network of an emulated phone.
struct PortLinkOpener: MessageSocketOpener {
    private struct Link: MessageSocket {
        let connection: (any LinkConnection)?

        func send(_ text: String) { connection?.send(text) }
        func ping() { connection?.ping() }
        func close() { connection?.close() }
    }

    let port: PortReference

    func open(_ url: URL, event: @escaping @Sendable (SocketEvent) -> Void) -> any MessageSocket {
        let connection = port.port?.openLink(url.absoluteString) { happened in
            switch happened {
            case .opened: event(.opened)
            case .received(let text): event(.received(text))
            case .closed(let reason): event(.closed(reason))
            }
        }
        return Link(connection: connection)
    }
}
