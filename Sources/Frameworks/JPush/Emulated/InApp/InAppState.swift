import DeviceLink
import PushClock
import PushModel

/// In-app messages: notifications that the app shows itself while the user has disabled the system's. One at a time, while the app is in the
/// foreground and reports the visible page.
struct InAppState: EffectfulState {
    enum Effect: Sendable {
        /// Show it in the app, and report the outcome.
        case show(SDKMessage)
        case hide(SDKMessage)
        case save(String?)
    }

    private(set) var effects: [Effect] = []
    private var pending = PendingInAppMessages()
    /// The visible pages, as reported by the app.
    private var pages: [String] = []
    /// The message that is shown, or about to be shown.
    private var onScreen: SDKMessage?
    private var isInFront = false
    private var isStopped = false

    mutating func takeEffects() -> [Effect] { effects.takeAll() }

    private mutating func save() { effects.append(.save(pending.text)) }

    /// Takes those that an earlier process has not shown.
    mutating func load(_ text: String?) { pending = PendingInAppMessages(text: text) }

    mutating func moved(toFront isInFront: Bool) {
        self.isInFront = isInFront
        show()
    }

    mutating func setStopped(_ isStopped: Bool) {
        guard self.isStopped != isStopped else { return }
        self.isStopped = isStopped
        show()
    }

    /// Keeps a message, before its position is stored: if the process dies in between, the message comes again and is recognised.
    mutating func add(_ message: SDKMessage) {
        pending.add(message)
        save()
    }

    /// Drops the messages of an identity that is no longer known.
    mutating func forget() {
        if pending.waiting.isEmpty { return }
        pending = PendingInAppMessages()
        save()
    }

    mutating func entered(page: String) {
        pages.removeAll { $0 == page }
        pages.append(page)
        show()
    }

    mutating func left(page: String) {
        pages.removeAll { $0 == page }
        if pages.isEmpty, let onScreen { effects.append(.hide(onScreen)) }
    }

    mutating func show() {
        guard isInFront, !isStopped, !pages.isEmpty, onScreen == nil, let next = pending.waiting.first else { return }
        onScreen = next
        effects.append(.show(next))
    }

    /// Records that the device shows the message, which is not shown again.
    mutating func isShown(_ message: SDKMessage) {
        pending.remove(message)
        save()
        // The page was left in the meantime.
        if pages.isEmpty { effects.append(.hide(message)) }
    }

    /// Keeps a message that the device cannot show now for the next page, or until the app comes to the foreground.
    mutating func couldNotShow(_ message: SDKMessage) {
        if onScreen == message { onScreen = nil }
    }

    /// Records that the message has left the screen.
    mutating func hasEnded(_ message: SDKMessage) {
        guard onScreen == message else { return }
        onScreen = nil
        show()
    }
}
