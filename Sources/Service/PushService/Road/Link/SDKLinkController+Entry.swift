import DeviceLink
import Logging
import PushClock
import PushModel

// Registration, login and requests of apps.
extension SDKLinkController {
    func register(_ registration: SDKRegistration, on session: SDKLinkSession) async throws {
        guard session.takesRegistration() else {
            throw RegistrationRefusal(6017, "A device has registered on this link already; log in on another link.")
        }
        let registered = try await registrations.register(registration, from: session.connection.peerNetwork)
        let device = registered.device
        let name = registered.registrationID.text
        session.send(.registered(registrationID: name, secret: registered.secret, userID: device.userID))
        enter(device, session)
        session.send(.loggedIn(SDKDeviceState(registered.state)))
        try await router.enter(device, session, keptThrough: nil)
    }

    func logIn(
        _ text: String,
        of appKey: String,
        secret: String,
        _ report: DeviceReport,
        keptThrough position: Int64?,
        on session: SDKLinkSession
    ) async throws {
        let app = try await registrations.app(appKey)
        guard let id = try await registrations.device(text, of: app, secret: secret)?.id else {
            throw RegistrationRefusal(6016, "The registration id or its secret is not known; register again.")
        }
        var state: RegistrationState?
        do {
            state = try await registrations.start(id, report)
        } catch let error as StoreError where error.retryAfter != nil {
            // Messages can still be read and sent; the last-seen time is written when the link closes.
            logger.debug("A login was not stored", metadata: ["error": "\(error)"])
        }
        enter(id, session)
        session.send(.loggedIn(state.map { SDKDeviceState($0) }))
        let orders = try await registrations.openTakeBacks(of: id)
        if !orders.isEmpty { session.send(.takeBack(orders)) }
        if session.takesMessages { try await router.enter(id, session, keptThrough: position) }
    }

    /// Performs a request. Other links of the device stay as they are until they are reopened.
    func carryOut(
        _ request: SDKRequest,
        numbered number: Int64?,
        for device: DeviceID,
        on session: SDKLinkSession
    ) async throws -> SDKReply {
        let wasOn = !registry.isStopped(device)
        let reply = try await registrations.carryOut(request, numbered: number, for: device)
        if case .pushSwitch(let isOn) = request, reply.code == 0, wasOn != isOn {
            router.leave(device, session)
            if isOn, session.takesMessages { try await router.enter(device, session, keptThrough: nil) }
        }
        return reply
    }
}

// Presence: a device is online while it has a link, and its last-seen time is when that closed.
extension SDKLinkController {
    func enter(_ device: DeviceID, _ session: SDKLinkSession) {
        if let before = session.device {
            router.leave(before, session)
            registry.linkClosed(of: before)
        }
        session.device = device
        session.connection.admit()
        registry.linkOpened(of: device)
    }

    /// Handles the end of a device's link, which counts as its last-seen time.
    func leave(_ device: DeviceID, _ session: SDKLinkSession) async {
        router.leave(device, session)
        await remember([device])
        registry.linkClosed(of: device)
    }

    /// Stores the current time as last seen for all linked devices when the service stops.
    func endAll() async { await remember(registry.linkedDevices) }

    private func remember(_ devices: [DeviceID]) async {
        let now = clock.date
        for (app, devices) in Dictionary(grouping: devices, by: \.app) where registry.app(app) != nil {
            do {
                let changed = try await store.updateDevices(devices.map(\.ordinal), of: app, keepingTags: []) {
                    device in
                    device.lastSeen = max(device.lastSeen, now)
                }
                registry.apply(changed)
                try await store.note(calendar.note([.online], at: now), of: devices.map(\.ordinal), app: app)
            } catch {
                logger.error("The last-seen times of devices could not be stored", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension SDKDeviceState {
    fileprivate init(_ state: RegistrationState) {
        self.init(
            hasToken: state.hasToken,
            isOn: state.isOn,
            tokenDigest: state.tokenDigest,
            sequence: state.sequence
        )
    }
}
