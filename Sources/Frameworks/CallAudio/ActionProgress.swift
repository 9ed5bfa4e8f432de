import Foundation
import Synchronization
package import SystemPort

/// An action on a call, as its app performs it: only its first result counts.
package final class ActionProgress: Sendable {
    package enum State: Hashable, Sendable {
        /// Created by the app, and not performed yet.
        case idle
        /// The app is to perform it.
        case running
        case fulfilled
        case failed(String)
    }

    private struct Values {
        var id = UUID()
        var timeout: Date
        var state = State.idle
        weak var port: (any SystemPort)?
    }

    private let values: Mutex<Values>

    package init(timeout: Date) { values = Mutex(Values(timeout: timeout)) }

    package var id: UUID { values.withLock(\.id) }
    package var timeout: Date { values.withLock(\.timeout) }
    package var state: State { values.withLock(\.state) }
    package var isComplete: Bool { state != .idle && state != .running }

    /// Begins the action as the system wants it performed.
    package func begin(_ record: CallActionRecord, on port: any SystemPort) {
        values.withLock { values in
            values.id = record.id
            values.timeout = record.timeout
            values.state = .running
            values.port = port
        }
    }

    /// Reports the app's result to the system.
    package func complete(_ isFulfilled: Bool) {
        guard end(isFulfilled ? .fulfilled : .failed("The app has failed the action.")) else { return }
        let (id, port) = values.withLock { ($0.id, $0.port) }
        port?.call(.completed(id, isFulfilled: isFulfilled))
    }

    /// Ends the action without a report.
    ///
    /// - Returns: false if it has ended before.
    @discardableResult
    package func end(_ result: State = .failed("The time of the action is over.")) -> Bool {
        values.withLock { values in
            guard values.state == .idle || values.state == .running else { return false }
            values.state = result
            return true
        }
    }
}
