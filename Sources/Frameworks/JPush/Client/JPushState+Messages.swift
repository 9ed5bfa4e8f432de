import DeviceLink

// Custom and in-app messages, delivered to the app one at a time.

extension JPushState {
    mutating func receive(_ message: SDKMessage, _ effects: inout [Effect]) {
        // An extension has not asked for any.
        guard !isExtension else { return }
        messages.append(message)
        if messages.count == 1 { effects.append(.tell(message)) }
    }

    /// Skips a message for an identity that was deleted: it is not delivered to the app.
    mutating func passedOver(_ message: SDKMessage, _ effects: inout [Effect]) {
        guard messages.first == message else { return }
        messages.removeFirst()
        if let next = messages.first { effects.append(.tell(next)) }
    }

    /// Drops the messages of an identity that is no longer known.
    mutating func forgetMessages(_ effects: inout [Effect]) {
        messages = []
        inApp = PendingInAppMessages()
        effects += [.save(.position, nil), .save(.inApp, nil)]
    }

    /// Records that the position is stored and the app has received the message.
    mutating func told(_ message: SDKMessage, _ effects: inout [Effect]) {
        guard messages.first == message else { return }
        messages.removeFirst()
        act(&effects) { $0.kept(message.position) }
        if let next = messages.first { effects.append(.tell(next)) }
    }
}
