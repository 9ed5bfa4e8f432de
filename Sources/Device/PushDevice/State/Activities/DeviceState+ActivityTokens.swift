import DeviceLink
import PushModel
import SystemPort

// The tokens of Live Activities: one for each activity that asks for it, and one for the starts of each attributes type. They are
// registered with the courier as tokens of the topic for Live Activities, with names (`CourierTopic`).

extension DeviceState {
    /// Precedes the name of a type in the name of its token for starts.
    private static let startPrefix = "start/"

    private func topic(_ name: String, of bundleID: String) -> String? {
        let topic = CourierTopic(APNSPushType.liveactivity.topic(of: bundleID), name: name).text
        return topic.utf8.count <= CourierTopic.limit ? topic : nil
    }

    /// Asks for the token of an activity; none is issued without the entitlement for pushes.
    mutating func requestToken(of id: String, _ bundleID: String) {
        guard let app = apps[bundleID]?.app, app.hasPushEntitlement, let topic = topic(id, of: bundleID) else { return }
        registerTopic(topic, of: app)
    }

    /// Gives up the token of an activity that ends: pushes to it are answered with 410.
    mutating func giveUpToken(of id: String, _ bundleID: String) {
        guard let app = apps[bundleID]?.app, let topic = topic(id, of: bundleID) else { return }
        unregisterTopic(topic, of: app)
    }

    /// Asks for the token that starts activities of a type.
    ///
    /// Each type has a token of its own. A report has one token for all types of an app (developer.apple.com/forums/thread/785281), and
    /// nothing else supports it: Apple has the tokens as members of `Activity<Attributes>`, and SDKs register them by type
    /// (OneSignal-iOS-SDK#1377). A backend that keeps a token for each type works in both cases; one that assumes a single token fails
    /// here, before it can fail on a phone.
    mutating func requestStartToken(of type: String, _ bundleID: String) {
        guard let record = apps[bundleID], profile.startsActivitiesByPush, record.app.supportsLiveActivities,
            record.app.hasPushEntitlement, record.activities.isAllowed
        else { return }
        apps[bundleID]?.activities.letPushesStart(type)
        guard record.activities.startTokens[type] == nil else { return }
        guard let topic = topic(Self.startPrefix + type, of: bundleID) else {
            return warn("The type '\(type)' gets no push-to-start token: its name is too long.", app: bundleID)
        }
        registerTopic(topic, of: record.app)
    }

    /// Takes a token for Live Activities from the courier, which repeats it after each connection.
    ///
    /// - Returns: false for a token of another kind.
    mutating func receivedActivityToken(
        _ token: DeviceToken,
        topic: CourierTopic,
        environment: APNSEnvironment
    ) -> Bool {
        guard let name = topic.name, let bundleID = APNSPushType.liveactivity.bundleID(of: topic.topic) else {
            return false
        }
        guard let record = apps[bundleID], record.app.environment == environment else { return true }
        if let type = Self.startType(in: name) {
            guard record.activities.startTokens[type] != token else { return true }
            apps[bundleID]?.activities.startTokens[type] = token
            emit(.activityTokenReceived(name: type, token), app: bundleID)
            sendFacts(bundleID)
            send(.liveActivity(.startToken(type: type)), to: bundleID)
        } else if let activity = activity(name, of: bundleID), activity.record.pushToken != token {
            emit(.activityTokenReceived(name: name, token), app: bundleID)
            let changed = changeActivity(name, of: bundleID, as: nil, tellsApp: false) { $0.record.pushToken = token }
            if let changed { tell(changed, to: bundleID, wakes: true) }
        }
        return true
    }

    /// Returns the type whose starts a token with this name is for; nil for the token of an activity.
    static func startType(in name: String) -> String? {
        name.hasPrefix(startPrefix) ? String(name.dropFirst(startPrefix.count)) : nil
    }

    // MARK: Removal

    /// Removes all activities of an app with their tokens, and those for starts.
    mutating func removeActivities(of bundleID: String) {
        guard let record = apps[bundleID] else { return }
        for activity in record.activities.list { endActivity(activity.record.id, of: bundleID, with: nil, .immediate) }
        giveUpStartTokens(of: bundleID)
    }

    /// Gives up the tokens for starts; the types are kept.
    mutating func giveUpStartTokens(of bundleID: String) {
        guard let record = apps[bundleID] else { return }
        for type in record.activities.startTypes.sorted() {
            guard let topic = topic(Self.startPrefix + type, of: bundleID) else { continue }
            unregisterTopic(topic, of: record.app)
        }
        apps[bundleID]?.activities.startTokens = [:]
    }
}

// The device's end of broadcast channels: the courier is subscribed to those of the ongoing Live Activities, over reconnects and
// restarts of the gateway. What a channel sends arrives with `receiveBroadcast(_:)`.

extension DeviceState {
    /// The broadcast channels that the ongoing activities of all apps listen to, each in the environment that its app was built for.
    private var wantedChannels: Set<CourierChannel> {
        var channels: Set<CourierChannel> = []
        for (bundleID, record) in apps {
            for activity in record.activities.list where activity.record.isOngoing {
                guard let id = activity.record.channel else { continue }
                channels.insert(CourierChannel(topic: bundleID, environment: record.app.environment, id: id))
            }
        }
        return channels
    }

    /// Subscribes to the channels that are new, and ends the subscriptions that no activity needs any more.
    mutating func channelsChanged() {
        let wanted = wantedChannels
        if wanted != courier.channels { perform(courier.setChannels(wanted)) }
    }

    /// Handles the end of a channel: it was deleted, or has never existed. The courier has ended the subscription.
    mutating func channelEnded(_ channel: CourierChannel) {
        emitChange("broadcast channel \(channel.id) does not exist", app: channel.topic)
    }
}
