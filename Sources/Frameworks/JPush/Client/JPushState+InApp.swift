import DeviceLink

// In-app messages: notifications that the app shows itself, for the person lets the system show none. One at a time, while
// the app is in front and says which page the person sees.

extension JPushState {
    /// It was looked at whether the person has switched notifications off; if not, the system has shown the first message.
    ///
    /// `addressee` is the registration id of before that look.
    mutating func took(_ message: SDKMessage, of addressee: String, isOff: Bool, _ effects: inout [Effect]) {
        guard messages.first == message else { return }
        guard registrationID == addressee else { return passedOver(message, &effects) }
        if isOff {
            inApp.add(message)
            effects.append(.save(.inApp, inApp.text))
        }
        // After the message: where the process dies in between, that comes again, and is known.
        let position = StoredPosition(registrationID: addressee, position: message.position)
        effects.append(.save(.position, position.text))
        told(message, &effects)
        showInApp(&effects)
    }

    mutating func entered(page: String, _ effects: inout [Effect]) {
        pages.removeAll { $0 == page }
        pages.append(page)
        showInApp(&effects)
    }

    mutating func left(page: String, _ effects: inout [Effect]) {
        pages.removeAll { $0 == page }
        if pages.isEmpty, let onScreen { effects.append(.hideInApp(onScreen)) }
    }

    mutating func showInApp(_ effects: inout [Effect]) {
        guard isInFront, !isStopped, !pages.isEmpty, onScreen == nil, let next = inApp.waiting.first else { return }
        onScreen = next
        effects.append(.showInApp(next))
    }

    /// The device shows it: from now on it is not shown again.
    mutating func isShown(_ message: SDKMessage, _ effects: inout [Effect]) {
        inApp.remove(message)
        effects.append(.save(.inApp, inApp.text))
        // The page was left meanwhile.
        if pages.isEmpty { effects.append(.hideInApp(message)) }
    }

    /// The device does not show it now: it waits for the next page, or for the app to come to the front.
    mutating func couldNotShow(_ message: SDKMessage) {
        if onScreen == message { onScreen = nil }
    }

    /// It is gone from the screen.
    mutating func hasEnded(_ message: SDKMessage, _ effects: inout [Effect]) {
        guard onScreen == message else { return }
        onScreen = nil
        showInApp(&effects)
    }
}
