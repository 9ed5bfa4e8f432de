package import PushModel

// Broadcast channels: a device subscribes again after each `hello`, so subscriptions end with its link.

extension CourierServer {
    /// A broadcast channel of an app.
    package struct Channel: Hashable, Sendable {
        /// The app's bundle id.
        package var topic: String
        package var environment: APNSEnvironment
        package var id: String

        package init(topic: String, environment: APNSEnvironment, id: String) {
            self.topic = topic
            self.environment = environment
            self.id = id
        }
    }

    /// Channels that a device may listen to at a time: our choice, as Apple documents no number.
    static let channelLimit = 1000

    /// Whether any device listens to the channel.
    package func isHeard(_ channel: Channel) -> Bool { listeners[channel] != nil }

    /// Delivers a message to all listeners, or to one of them.
    package mutating func deliver(_ push: CourierPush, in channel: Channel, on link: LinkID? = nil) -> [Action] {
        listening(to: channel, link).map { link in
            links[link]?.broadcasts.insert(push.apnsID)
            return .send(.push(push), link)
        }
    }

    /// Reports that the channel does not exist, to all listeners or to one of them.
    package mutating func endChannel(_ channel: Channel, on link: LinkID? = nil) -> [Action] {
        let frame = CourierFrame.unsubscribe(
            topic: channel.topic,
            environment: channel.environment,
            channel: channel.id
        )
        return listening(to: channel, link).map { link in
            unsubscribe(from: channel, link)
            return .send(frame, link)
        }
    }

    /// Subscribes a link to a channel; requests beyond the device's channel limit are ignored.
    mutating func subscribe(to channel: Channel, _ link: LinkID) -> [Action] {
        guard let known = links[link], known.channels.count < Self.channelLimit || known.channels.contains(channel)
        else { return [.close(link)] + closed(link) }
        links[link]?.channels.insert(channel)
        listeners[channel, default: []].insert(link)
        return [.subscribed(channel, link)]
    }

    mutating func unsubscribe(from channel: Channel, _ link: LinkID) {
        links[link]?.channels.remove(channel)
        listeners[channel]?.remove(link)
        if listeners[channel]?.isEmpty == true { listeners[channel] = nil }
    }

    private func listening(to channel: Channel, _ link: LinkID?) -> [LinkID] {
        let all = listeners[channel] ?? []
        if let link { return all.contains(link) ? [link] : [] }
        return all.sorted { $0.number < $1.number }
    }
}
