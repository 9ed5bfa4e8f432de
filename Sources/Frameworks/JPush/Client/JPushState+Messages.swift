import DeviceLink

// Custom and in-app messages, delivered to the app one at a time.

extension JPushState {
    mutating func receive(_ message: SDKMessage) {
        // An extension has not asked for any.
        guard !isExtension else { return }
        messages.append(message)
        if messages.count == 1 { add(.deliver(message)) }
    }

    /// Skips a message for an identity that was deleted: it is not delivered to the app.
    mutating func passedOver(_ message: SDKMessage) {
        guard messages.first == message else { return }
        messages.removeFirst()
        if let next = messages.first { add(.deliver(next)) }
    }

    /// Drops the messages of an identity that is no longer known.
    mutating func forgetMessages() {
        messages = []
        inApp = PendingInAppMessages()
        add(.save(.position, nil))
        add(.save(.inApp, nil))
    }

    /// Records that the position is stored and the app has received the message.
    mutating func delivered(_ message: SDKMessage) {
        guard messages.first == message else { return }
        messages.removeFirst()
        act { $0.kept(message.position) }
        if let next = messages.first { add(.deliver(next)) }
    }
}
