import Synchronization
package import SystemPort

/// What the person did to notifications, as one process of the app heard it; the last few.
package final class ActedOn: Sendable {
    static let limit = 50

    private let heard = Mutex<[ResponseRecord]>([])

    package static func of(_ port: any SystemPort) -> ActedOn { port.slots.slot { ActedOn() } }

    /// Oldest first.
    package var responses: [ResponseRecord] { heard.withLock { $0 } }

    /// Called before the app hears.
    package func note(_ response: ResponseRecord) {
        heard.withLock { heard in
            heard.append(response)
            if heard.count > Self.limit { heard.removeFirst() }
        }
    }
}
