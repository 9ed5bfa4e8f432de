package import PushModel

/// The gateway's end of all courier links: the connected devices, their apps, and the unacknowledged pushes.
///
/// It makes decisions but stores no pushes: its owner performs the actions in order, keeps pushes until they are
/// acknowledged, and offers the others again after the next ``CourierFrame/register(topic:environment:)``.
package struct CourierServer: Sendable {
    /// Identifies one link for its lifetime.
    package struct LinkID: Hashable, Sendable {
        let number: Int
    }

    /// An app on a device.
    package struct DeviceApp: Hashable, Sendable {
        package var device: String
        package var topic: String
        package var environment: APNSEnvironment

        package init(device: String, topic: String, environment: APNSEnvironment) {
            self.device = device
            self.topic = topic
            self.environment = environment
        }
    }

    package enum Action: Hashable, Sendable {
        case send(CourierFrame, LinkID)
        case close(LinkID)
        /// A device identifies itself: check the key against the one bound to this id, or bind it if the id is new, and
        /// answer with ``CourierServer/welcome(_:on:)`` or ``CourierServer/refuse(_:_:)``.
        case prove(device: String, key: String, LinkID)
        /// Answer with ``CourierServer/registered(_:token:)``, then deliver the waiting pushes.
        case register(DeviceApp)
        /// The app was removed: its token is no longer valid.
        case unregister(DeviceApp)
        /// The app's device woke up, or went to sleep.
        case awake(DeviceApp, Bool)
        /// A device subscribes to a channel: store that and deliver the stored message, or report that the channel does not
        /// exist (``CourierServer/endChannel(_:on:)``).
        case subscribed(Channel, LinkID)
        /// The device with this id ends its subscription.
        case unsubscribed(Channel, by: String)
        /// A device acknowledges something that is no push to one of its apps: a channel message, or a repetition.
        case heard(apnsID: String, by: String)
        /// The push with this apns-id has arrived.
        case acknowledged(DeviceApp, apnsID: String)
        /// A journey event that was not reported before; accept it only if it is about a push sent to this device.
        case record(CourierEvent, by: String)
        /// The app is no longer reachable; offer its unacknowledged pushes again.
        case lost(DeviceApp)
    }

    struct Link {
        var device: String?
        var isAwake = true
        var apps: Set<DeviceApp> = []
        /// Pushes in flight, by apns-id; one id may go to several apps.
        var unacknowledged: [String: [DeviceApp]] = [:]
        var channels: Set<Channel> = []

        var sortedApps: [DeviceApp] {
            apps.sorted { ($0.topic, $0.environment.rawValue) < ($1.topic, $1.environment.rawValue) }
        }
    }

    var links: [LinkID: Link] = [:]
    /// The links of the devices that are subscribed to a channel.
    var listeners: [Channel: Set<LinkID>] = [:]
    private var linkOfDevice: [String: LinkID] = [:]
    /// The number of the last known event of each device.
    private var lastEvent: [String: Int64] = [:]
    private var nextNumber = 1

    package init() {}

    /// Adds a new link, whose device is not known yet.
    package mutating func opened() -> LinkID {
        let link = LinkID(number: nextNumber)
        nextNumber += 1
        links[link] = Link()
        return link
    }

    package mutating func closed(_ link: LinkID) -> [Action] {
        for channel in links[link]?.channels ?? [] { unsubscribe(from: channel, link) }
        guard let old = links.removeValue(forKey: link) else { return [] }
        if let device = old.device, linkOfDevice[device] == link { linkOfDevice[device] = nil }
        return old.sortedApps.map { .lost($0) }
    }

    /// Handles a frame. A malformed frame, or one before `hello`, closes the link.
    package mutating func received(_ text: String, on link: LinkID) -> [Action] {
        guard let known = links[link] else { return [] }
        guard let frame = try? CourierFrame(text: text) else { return [.close(link)] + closed(link) }
        if let problem = CourierLimits.problem(with: frame) { return refuse(link, problem) }
        if case .hello(let device, let key) = frame { return [.prove(device: device, key: key, link)] }
        guard let device = known.device else { return [.close(link)] + closed(link) }
        switch frame {
        case .register(let topic, let environment):
            let app = DeviceApp(device: device, topic: topic, environment: environment)
            guard known.apps.count < CourierLimits.apps || known.apps.contains(app) else {
                return refuse(link, "The device has \(known.apps.count) apps; expected \(CourierLimits.apps) at most.")
            }
            return [.register(app)]
        case .unregister(let topic, let environment):
            let app = DeviceApp(device: device, topic: topic, environment: environment)
            let wasKnown = links[link]?.apps.remove(app) != nil
            return (wasKnown ? [.lost(app)] : []) + [.unregister(app)]
        case .awake(let isAwake):
            guard known.isAwake != isAwake else { return [] }
            links[link]?.isAwake = isAwake
            return known.sortedApps.map { .awake($0, isAwake) }
        case .subscribe(let topic, let environment, let id):
            let channel = Channel(topic: topic, environment: environment, id: id)
            return subscribe(to: channel, link)
        case .unsubscribe(let topic, let environment, let id):
            let channel = Channel(topic: topic, environment: environment, id: id)
            unsubscribe(from: channel, link)
            return [.unsubscribed(channel, by: device)]
        case .ack(let apnsID):
            return acknowledged(apnsID, on: link)
        case .events(let events):
            return record(events, of: device, on: link)
        case .hello, .registered, .push, .eventsAck, .refused:
            return [.close(link)] + closed(link)
        }
    }

    /// Records that the app's token is known: from now on its pushes go over the device's link.
    package mutating func registered(_ app: DeviceApp, token: DeviceToken) -> [Action] {
        guard let link = linkOfDevice[app.device] else { return [] }
        links[link]?.apps.insert(app)
        return [.send(.registered(topic: app.topic, environment: app.environment, token: token), link)]
    }

    /// Whether a push for the app can be delivered now.
    package func canReach(_ app: DeviceApp) -> Bool {
        linkOfDevice[app.device].flatMap { links[$0] }?.apps.contains(app) ?? false
    }

    /// Whether the device is awake; false while it reports that it is asleep.
    package func isAwake(_ device: String) -> Bool { linkOfDevice[device].flatMap { links[$0]?.isAwake } ?? true }

    /// Whether the device has a link.
    package func isLinked(_ device: String) -> Bool { linkOfDevice[device] != nil }

    /// The apps of a device that are reachable now.
    package func apps(of device: String) -> [DeviceApp] { linkOfDevice[device].flatMap { links[$0]?.sortedApps } ?? [] }

    /// - Returns: nothing if the app cannot be reached.
    package mutating func deliver(_ push: CourierPush, to app: DeviceApp) -> [Action] {
        guard canReach(app), let link = linkOfDevice[app.device] else { return [] }
        links[link]?.unacknowledged[push.apnsID, default: []].append(app)
        return [.send(.push(push), link)]
    }

    /// The device on a link; nil before it has authenticated.
    package func device(on link: LinkID) -> String? { links[link]?.device }

    /// Sends the reason and closes the link.
    package mutating func refuse(_ link: LinkID, _ why: String) -> [Action] {
        [.send(.refused(message: why), link), .close(link)] + closed(link)
    }

    /// Accepts the link's device as authenticated.
    package mutating func welcome(_ device: String, on link: LinkID) -> [Action] {
        guard links[link] != nil else { return [] }
        var actions: [Action] = []
        // A second hello starts over, perhaps as another device.
        if links[link]?.device != nil {
            actions = closed(link)
            links[link] = Link()
        }
        // A device that opens another link lost its old one before we noticed.
        if let older = linkOfDevice[device] { actions += [.close(older)] + closed(older) }
        links[link]?.device = device
        linkOfDevice[device] = link
        return actions
    }

    private mutating func acknowledged(_ apnsID: String, on link: LinkID) -> [Action] {
        guard var apps = links[link]?.unacknowledged[apnsID], !apps.isEmpty else {
            return links[link]?.device.map { [.heard(apnsID: apnsID, by: $0)] } ?? []
        }
        let app = apps.removeFirst()
        links[link]?.unacknowledged[apnsID] = apps.isEmpty ? nil : apps
        return [.acknowledged(app, apnsID: apnsID)]
    }

    private mutating func record(_ events: [CourierEvent], of device: String, on link: LinkID) -> [Action] {
        var actions: [Action] = []
        var last = lastEvent[device] ?? 0
        for event in events where event.number > last {
            if event.isOfDevice { actions.append(.record(event, by: device)) }
            last = event.number
        }
        lastEvent[device] = last
        // Events reported earlier are acknowledged again: the first acknowledgement may have been lost.
        actions.append(.send(.eventsAck(through: last), link))
        return actions
    }
}
