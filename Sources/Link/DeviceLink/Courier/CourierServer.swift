package import PushModel

/// The gateway's end of all courier links: who is there, for which apps, and what was not acknowledged.
///
/// It decides and keeps no push: its owner carries the actions out in their order, holds pushes until they are
/// acknowledged, and offers those that are not again after the next ``CourierFrame/register(topic:environment:)``.
package struct CourierServer: Sendable {
    /// Names one link, as long as it lasts.
    package struct LinkID: Hashable, Sendable {
        let number: Int
    }

    /// An app on a device.
    package struct App: Hashable, Sendable {
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
        /// A device says who it is: look whether the key is the one that this id is bound to, or bind it if it is new, and answer with
        /// ``CourierServer/welcome(_:on:)`` or ``CourierServer/refuse(_:_:)``.
        case prove(device: String, key: String, LinkID)
        /// Answer with ``CourierServer/registered(_:token:)``, then hand over what waits.
        case register(App)
        /// The app is gone: its token is dead.
        case unregister(App)
        /// The app's device has woken up, or sleeps.
        case awake(App, Bool)
        /// A device listens to a channel: hand over what it keeps, or say that there is none
        /// (``CourierServer/endChannel(_:on:)``).
        case subscribed(Channel, LinkID)
        /// The message with this id, to a channel, has arrived at one device.
        case heard(apnsID: String)
        /// The push with this apns-id has arrived.
        case acknowledged(App, apnsID: String)
        /// An event of the device that was not told before; to be taken if it is about a push that this device was sent.
        case record(CourierEvent, by: String)
        /// The app cannot be reached any more; what it has not acknowledged is to be offered again.
        case lost(App)
    }

    struct Link {
        var device: String?
        var isAwake = true
        var apps: Set<App> = []
        /// Pushes on their way, by apns-id; one id may go to several apps.
        var unacknowledged: [String: [App]] = [:]
        var channels: Set<Channel> = []
        /// Messages to channels on their way, by their ids.
        var broadcasts: Set<String> = []

        var sortedApps: [App] {
            apps.sorted { ($0.topic, $0.environment.rawValue) < ($1.topic, $1.environment.rawValue) }
        }
    }

    var links: [LinkID: Link] = [:]
    /// The links on which a device listens to a channel.
    var listeners: [Channel: Set<LinkID>] = [:]
    private var linkOfDevice: [String: LinkID] = [:]
    /// Up to which number the events of a device are known.
    private var lastEvent: [String: Int64] = [:]
    private var nextNumber = 1

    package init() {}

    /// A link was opened; nothing is known of it yet.
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

    /// A frame that makes no sense, or comes before `hello`, closes the link.
    package mutating func received(_ text: String, on link: LinkID) -> [Action] {
        guard let known = links[link] else { return [] }
        guard let frame = try? CourierFrame(text: text) else { return [.close(link)] + closed(link) }
        if let problem = CourierLimits.problem(with: frame) { return refuse(link, problem) }
        if case .hello(let device, let key) = frame { return [.prove(device: device, key: key, link)] }
        guard let device = known.device else { return [.close(link)] + closed(link) }
        switch frame {
        case .register(let topic, let environment):
            let app = App(device: device, topic: topic, environment: environment)
            guard known.apps.count < CourierLimits.apps || known.apps.contains(app) else {
                return refuse(link, "The device has \(known.apps.count) apps; expected \(CourierLimits.apps) at most.")
            }
            return [.register(app)]
        case .unregister(let topic, let environment):
            let app = App(device: device, topic: topic, environment: environment)
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
            unsubscribe(from: Channel(topic: topic, environment: environment, id: id), link)
            return []
        case .ack(let apnsID):
            return acknowledged(apnsID, on: link)
        case .events(let events):
            return record(events, of: device, on: link)
        case .hello, .registered, .push, .eventsAck, .refused:
            return [.close(link)] + closed(link)
        }
    }

    /// The app's token is known: from here on pushes for it go over the device's link.
    package mutating func registered(_ app: App, token: DeviceToken) -> [Action] {
        guard let link = linkOfDevice[app.device] else { return [] }
        links[link]?.apps.insert(app)
        return [.send(.registered(topic: app.topic, environment: app.environment, token: token), link)]
    }

    /// Whether a push for the app can be handed over now.
    package func canReach(_ app: App) -> Bool {
        linkOfDevice[app.device].flatMap { links[$0] }?.apps.contains(app) ?? false
    }

    /// False while the device says that it sleeps.
    package func isAwake(_ device: String) -> Bool { linkOfDevice[device].flatMap { links[$0]?.isAwake } ?? true }

    /// The apps of a device that can be reached now.
    package func apps(of device: String) -> [App] { linkOfDevice[device].flatMap { links[$0]?.sortedApps } ?? [] }

    /// - Returns: nothing if the app cannot be reached.
    package mutating func deliver(_ push: CourierPush, to app: App) -> [Action] {
        guard canReach(app), let link = linkOfDevice[app.device] else { return [] }
        links[link]?.unacknowledged[push.apnsID, default: []].append(app)
        return [.send(.push(push), link)]
    }

    /// The device with which a link speaks; nil before it has proved who it is.
    package func device(on link: LinkID) -> String? { links[link]?.device }

    /// Says why, and closes the link.
    package mutating func refuse(_ link: LinkID, _ why: String) -> [Action] {
        [.send(.refused(message: why), link), .close(link)] + closed(link)
    }

    /// The link's device is the one that it says it is.
    package mutating func welcome(_ device: String, on link: LinkID) -> [Action] {
        guard links[link] != nil else { return [] }
        var actions: [Action] = []
        // A second hello begins anew, perhaps as another device.
        if links[link]?.device != nil {
            actions = closed(link)
            links[link] = Link()
        }
        // A device that comes on another link has lost its old one before we noticed.
        if let older = linkOfDevice[device] { actions += [.close(older)] + closed(older) }
        links[link]?.device = device
        linkOfDevice[device] = link
        return actions
    }

    private mutating func acknowledged(_ apnsID: String, on link: LinkID) -> [Action] {
        if links[link]?.broadcasts.remove(apnsID) != nil { return [.heard(apnsID: apnsID)] }
        guard var apps = links[link]?.unacknowledged[apnsID], !apps.isEmpty else { return [] }
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
        // What was told before is acknowledged again: the first acknowledgement may have been lost.
        actions.append(.send(.eventsAck(through: last), link))
        return actions
    }
}
