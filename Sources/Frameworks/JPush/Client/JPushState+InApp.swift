import DeviceLink
import PushModel

// In-app messages: notifications that the app shows itself while the user has disabled the system's. One at a time,
// while the app is in the foreground and reports the visible page.

extension JPushState {
    /// Takes a message after checking whether notifications are off; if they are on, the system has shown the first
    /// message.
    ///
    /// `addressee` is the registration id before the check.
    mutating func took(_ message: SDKMessage, of addressee: String, isOff: Bool) {
        guard messages.first == message else { return }
        guard registrationID == addressee else { return passedOver(message) }
        if isOff {
            inApp.add(message)
            add(.save(.inApp, inApp.text))
        }
        // After the message: if the process dies in between, the message comes again and is recognised.
        let position = StoredPosition(registrationID: addressee, position: message.position)
        add(.save(.position, position.text))
        delivered(message)
        showInApp()
    }

    mutating func entered(page: String) {
        pages.removeAll { $0 == page }
        pages.append(page)
        showInApp()
    }

    mutating func left(page: String) {
        pages.removeAll { $0 == page }
        if pages.isEmpty, let onScreen { add(.hideInApp(onScreen)) }
    }

    mutating func showInApp() {
        guard isInFront, !isStopped, !pages.isEmpty, onScreen == nil, let next = inApp.waiting.first else { return }
        onScreen = next
        add(.showInApp(next))
    }

    /// Records that the device shows the message, which is not shown again.
    mutating func isShown(_ message: SDKMessage) {
        inApp.remove(message)
        add(.save(.inApp, inApp.text))
        // The page was left in the meantime.
        if pages.isEmpty { add(.hideInApp(message)) }
    }

    /// Keeps a message that the device cannot show now for the next page, or until the app comes to the foreground.
    mutating func couldNotShow(_ message: SDKMessage) {
        if onScreen == message { onScreen = nil }
    }

    /// Records that the message has left the screen.
    mutating func hasEnded(_ message: SDKMessage) {
        guard onScreen == message else { return }
        onScreen = nil
        showInApp()
    }
}
