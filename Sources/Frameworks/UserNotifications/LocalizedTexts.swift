import Foundation
import Synchronization
import SystemPort

/// The origins of the `localizedUserNotificationString` texts in one process.
///
/// On Apple's systems such a string has a class of its own and is resolved at delivery; a Swift `String` on Linux
/// cannot carry that, so the process remembers the most recent ones by their text.
final class LocalizedTexts: Sendable {
    static let limit = 1000

    private struct State {
        var origins: [String: LocalizedString] = [:]
        /// The texts, oldest first.
        var order: [String] = []
    }

    private let state = Mutex(State())

    static func of(_ port: any SystemPort) -> LocalizedTexts { port.slots.slot { LocalizedTexts() } }

    func remember(_ text: String, as origin: LocalizedString) {
        guard !text.isEmpty else { return }
        state.withLock { state in
            if state.origins.updateValue(origin, forKey: text) == nil { state.order.append(text) }
            if state.order.count > Self.limit { state.origins[state.order.removeFirst()] = nil }
        }
    }

    func origin(of text: String) -> LocalizedString? { state.withLock { $0.origins[text] } }
}
