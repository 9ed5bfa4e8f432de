import Synchronization
package import SystemPort

/// The user's most recent responses to notifications, as received by one process of the app.
package final class ActedOn: PortSlot {
    static let limit = 50

    private let heard = Mutex<[ResponseRecord]>([])

    package init() {}

    /// The responses, oldest first.
    package var responses: [ResponseRecord] { heard.withLock { $0 } }

    /// Records a response; called before the app receives it.
    package func note(_ response: ResponseRecord) {
        heard.withLock { heard in
            heard.append(response)
            if heard.count > Self.limit { heard.removeFirst() }
        }
    }
}
