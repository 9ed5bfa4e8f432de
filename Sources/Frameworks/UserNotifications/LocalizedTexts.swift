public import Foundation
import Synchronization
import SystemPort

/// The origins of the `localizedUserNotificationString` texts in one process.
///
/// On Apple's systems such a string has a class of its own and is resolved at delivery; a Swift `String` on Linux
/// cannot carry that, so the process remembers the most recent ones by their text.
final class LocalizedTexts: PortSlot {
    static let limit = 1000

    private struct State {
        var origins: [String: LocalizedString] = [:]
        /// The texts, oldest first.
        var order: [String] = []
    }

    private let state = Mutex(State())

    func remember(_ text: String, as origin: LocalizedString) {
        guard !text.isEmpty else { return }
        state.withLock { state in
            if state.origins.updateValue(origin, forKey: text) == nil { state.order.append(text) }
            if state.order.count > Self.limit { state.origins[state.order.removeFirst()] = nil }
        }
    }

    func origin(of text: String) -> LocalizedString? { state.withLock { $0.origins[text] } }
}

extension NSString {
    /// A string of the app's `Localizable.strings` with its arguments; the key itself if there is none.
    ///
    /// It is read in the device's current language. As title, subtitle, body or summary argument of a request that this
    /// process adds, it is resolved again at delivery in the language of that time; as placeholder or summary format of
    /// a category, whenever that is shown. Joined with other text it stays unchanged.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let port = CurrentPort.find()
        let origin = LocalizedString(key: key, arguments: (arguments ?? []).map { String(describing: $0) })
        let text = origin.text(in: port.facts.strings)
        LocalizedTexts.of(port).remember(text, as: origin)
        return text
    }
}
