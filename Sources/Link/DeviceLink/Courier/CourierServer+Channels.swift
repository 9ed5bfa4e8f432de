// Broadcast channels: the owner stores which device is subscribed to what, and resumes these subscriptions after each `hello`.

extension CourierServer {
    /// A broadcast channel of an app.
    package typealias Channel = CourierChannel

    /// Channels that a device may be subscribed to at a time: our choice, as Apple documents no number.
    static let channelLimit = 1000

    /// The links of the devices that are subscribed to the channel and linked, in the order in which they were opened.
    package func listeners(to channel: Channel) -> [LinkID] {
        (listeners[channel] ?? []).sorted { $0.number < $1.number }
    }

    /// Continues a subscription of the link's device that an earlier link has made.
    package mutating func resume(_ channel: Channel, on link: LinkID) {
        guard links[link] != nil else { return }
        links[link]?.channels.insert(channel)
        listeners[channel, default: []].insert(link)
    }

    /// Reports that the channel does not exist, to all linked subscribers or to one of them.
    package mutating func endChannel(_ channel: Channel, on link: LinkID? = nil) -> [Action] {
        let all = listeners(to: channel)
        let told = link.map { link in all.filter { $0 == link } } ?? all
        return told.map { link in
            unsubscribe(from: channel, link)
            return .send(channel.unsubscribe, link)
        }
    }

    /// Subscribes a link to a channel. A repeated request has no effect; one beyond the device's limit closes the link.
    mutating func subscribe(to channel: Channel, _ link: LinkID) -> [Action] {
        guard let known = links[link], !known.channels.contains(channel) else { return [] }
        guard known.channels.count < Self.channelLimit else {
            return refuse(
                link,
                "The device is subscribed to \(known.channels.count) channels; expected \(Self.channelLimit) at most."
            )
        }
        resume(channel, on: link)
        return [.subscribed(channel, link)]
    }

    mutating func unsubscribe(from channel: Channel, _ link: LinkID) {
        links[link]?.channels.remove(channel)
        listeners[channel]?.remove(link)
        if listeners[channel]?.isEmpty == true { listeners[channel] = nil }
    }
}
