import DeviceLink

// Custom and in-app messages: one after the other to the app.

extension JPushState {
    mutating func receive(_ message: SDKMessage, _ effects: inout [Effect]) {
        // An extension has asked for none.
        guard !isExtension else { return }
        messages.append(message)
        if messages.count == 1 { effects.append(.tell(message)) }
    }

    /// The message was for an identity that is forgotten: the app does not hear of it.
    mutating func passedOver(_ message: SDKMessage, _ effects: inout [Effect]) {
        guard messages.first == message else { return }
        messages.removeFirst()
        if let next = messages.first { effects.append(.tell(next)) }
    }

    /// Those of an identity that is known no more.
    mutating func forgetMessages(_ effects: inout [Effect]) {
        messages = []
        inApp = PendingInAppMessages()
        effects += [.save(.position, nil), .save(.inApp, nil)]
    }

    /// The position is kept, and the app has been told.
    mutating func told(_ message: SDKMessage, _ effects: inout [Effect]) {
        guard messages.first == message else { return }
        messages.removeFirst()
        act(&effects) { $0.kept(message.position) }
        if let next = messages.first { effects.append(.tell(next)) }
    }
}
