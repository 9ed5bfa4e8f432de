import DeviceLink
import Foundation
import PushClock
import PushModel
import Synchronization
import SystemPort

/// An installation of an app on a phone, as the service knows it.
struct TestJPushDevice: Sendable {
    var registrationID: String
    var secret: String
    var userID: Int64
    /// The phone. The ids of two devices may be the same: tests fix their random numbers.
    var phone: ObjectIdentifier
    var installation: String
    var bundleID: String
    var environment: APNSEnvironment
    var tags: Set<String> = []
    var alias: String?
    var badge: Int?
    var mobile: String?
    var isOn = true
    var token: DeviceToken?
    var voIPToken: DeviceToken?
    /// The custom messages that the app has not acknowledged.
    var waiting: [SDKMessage] = []
    /// The app's newest link that takes messages.
    var link: (any LinkConnection)?
}

/// The devices and the receipts of the service. It answers frames and does nothing else.
struct TestJPushState: Sendable {
    var devices: [TestJPushDevice] = []
    var phones: [ObjectIdentifier: WeakPhone] = [:]
    var receipts: [TestJPush.Receipt] = []
    var failure: TestJPush.Failure?
    var refusal: Int?
    var isReachable = true
    var lastMessage: Int64 = 0

    /// JPush's message ids have more digits than a `Double` holds.
    func messageID(_ number: Int64) -> Int64 { 9_007_199_254_740_993 + number }

    mutating func takeLinks() -> [any LinkConnection] {
        defer { for place in devices.indices { devices[place].link = nil } }
        return devices.compactMap(\.link)
    }

    /// Keeps a custom message for the devices of an audience.
    ///
    /// - Returns: the devices.
    mutating func take(_ message: SDKMessage, for audience: TestJPush.Audience) -> [TestJPushDevice] {
        for place in devices.indices where devices[place].isOn && audience.contains(devices[place]) {
            devices[place].waiting.append(message)
        }
        return devices.filter { $0.isOn && audience.contains($0) }
    }

    /// Returns the answers to the first frame of a link, and the device if it may enter.
    mutating func enter(
        _ frame: SDKFrame,
        from phone: ObjectIdentifier,
        on link: any LinkConnection
    ) -> (answers: [SDKFrame], registrationID: String?) {
        if let refusal { return ([.refused(code: refusal, message: "The test refuses this app.")], nil) }
        switch frame {
        case .register(let registration):
            let place = place(of: registration, on: phone)
            devices[place].link = link
            let device = devices[place]
            let registered = SDKFrame.registered(
                registrationID: device.registrationID,
                secret: device.secret,
                userID: device.userID
            )
            return ([registered, .loggedIn()], device.registrationID)
        case .login(_, let id, let secret, let position, let takesMessages, _, _, _, _):
            guard let place = devices.firstIndex(where: { $0.registrationID == id && $0.secret == secret }) else {
                return ([.refused(code: 6016, message: "The device is not known any more.")], nil)
            }
            guard takesMessages else { return ([.loggedIn()], id) }
            devices[place].link = link
            if let position { devices[place].waiting.removeAll { $0.position <= position } }
            let waiting = devices[place].isOn ? devices[place].waiting : []
            return ([.loggedIn()] + waiting.map { .message($0) }, id)
        default: return ([], nil)
        }
    }

    /// Returns the place of the device, which is new or has the same installation.
    private mutating func place(of registration: SDKRegistration, on phone: ObjectIdentifier) -> Int {
        let known = devices.firstIndex { $0.phone == phone && $0.installation == registration.installation }
        if let known { return known }
        // An app that was removed and installed again is a new device; the old one is gone.
        devices.removeAll { $0.phone == phone && $0.bundleID == registration.bundleID }
        let number = (devices.map(\.userID).max() ?? 0) + 1
        devices.append(
            TestJPushDevice(
                registrationID: "1507bfd3f7c\(number)",
                secret: "secret \(number) \(registration.installation)",
                userID: number,
                phone: phone,
                installation: registration.installation,
                bundleID: registration.bundleID,
                environment: registration.environment
            )
        )
        return devices.count - 1
    }

    mutating func acknowledge(_ position: Int64, by registrationID: String) {
        change(registrationID) { device in device.waiting.removeAll { $0.position <= position } }
    }

    mutating func leave(_ link: any LinkConnection) {
        for place in devices.indices where devices[place].link === link { devices[place].link = nil }
    }

    private mutating func change(_ registrationID: String, _ body: (inout TestJPushDevice) -> Void) {
        guard let place = devices.firstIndex(where: { $0.registrationID == registrationID }) else { return }
        body(&devices[place])
    }

    // MARK: Requests

    /// Carries out a request of a device, and returns the reply and its delay; nil without a reply.
    mutating func answer(_ request: SDKRequest, of id: String) -> (reply: SDKReply, delay: Duration?)? {
        let failure = request.isAutomatic ? nil : failure
        switch failure {
        case .code(let code)?: return (SDKReply(code: code, message: "The test lets this request fail."), nil)
        case .silence?: return nil
        case .delay(let delay)?: return (carryOut(request, of: id), delay)
        case nil: return (carryOut(request, of: id), nil)
        }
    }

    private mutating func carryOut(_ request: SDKRequest, of id: String) -> SDKReply {
        guard let place = devices.firstIndex(where: { $0.registrationID == id }) else { return SDKReply(code: 6016) }
        if !devices[place].isOn, request.needsPush {
            return SDKReply(code: 6012, message: "Push is switched off on this device.")
        }
        switch request {
        case .setTags(let tags, _): return setTags(Set(tags), at: place, naming: tags)
        case .addTags(let tags, _): return setTags(devices[place].tags.union(tags), at: place, naming: tags)
        case .deleteTags(let tags): return setTags(devices[place].tags.subtracting(tags), at: place, naming: tags)
        case .cleanTags: devices[place].tags = []
        case .getAllTags: return SDKReply(code: 0, tags: devices[place].tags.sorted())
        case .checkTag(let tag): return SDKReply(code: 0, isBound: devices[place].tags.contains(tag))
        case .setAlias(let alias, _): return setAlias(alias, at: place)
        case .deleteAlias: devices[place].alias = nil
        case .getAlias: return SDKReply(code: 0, alias: devices[place].alias)
        case .badge(let badge): devices[place].badge = badge
        case .mobile(let mobile): devices[place].mobile = mobile.flatMap { $0.isEmpty ? nil : $0 }
        case .pushSwitch(let isOn):
            devices[place].isOn = isOn
            return SDKReply(code: 0, isOn: isOn)
        case .pushStatus: return SDKReply(code: 0, isOn: devices[place].isOn)
        case .token(let token, _): devices[place].token = token
        case .receipts(let reported): record(reported, of: id)
        case .voipToken(let token, _): devices[place].voIPToken = token
        case .attributes, .topics, .activityToken, .activityStartToken: break
        }
        return SDKReply(code: 0)
    }

    private mutating func setTags(_ tags: Set<String>, at place: Int, naming named: [String]) -> SDKReply {
        if let refusal = SDKReply.refusal(ofTags: named) { return refusal }
        guard tags.count <= JPushLimits.tagsPerDevice else { return SDKReply(code: 6007, message: "Too many tags.") }
        devices[place].tags = tags
        return SDKReply(code: 0, tags: named)
    }

    private mutating func setAlias(_ alias: String, at place: Int) -> SDKReply {
        if let refusal = SDKReply.refusal(ofAlias: alias) { return refusal }
        devices[place].alias = alias
        return SDKReply(code: 0, alias: alias)
    }

    private mutating func record(_ reported: [SDKReceipt], of id: String) {
        for receipt in reported {
            guard let event = TestJPush.Receipt.Event(rawValue: receipt.event.rawValue) else { continue }
            let isKnown = receipts.contains {
                $0.messageID == receipt.messageID && $0.registrationID == id && $0.event == event
            }
            if isKnown { continue }
            let date = Date(timeIntervalSince1970: Double(receipt.time))
            receipts.append(.init(messageID: receipt.messageID, registrationID: id, event: event, date: date))
        }
    }
}

extension SDKRequest {
    /// Whether the SDK sends it by itself.
    fileprivate var isAutomatic: Bool {
        switch self {
        case .token, .receipts, .voipToken, .activityToken, .activityStartToken: true
        default: false
        }
    }

    /// Whether it is refused while push is switched off.
    fileprivate var needsPush: Bool {
        switch self {
        case .pushSwitch, .pushStatus, .topics: false
        default: !isAutomatic
        }
    }
}

/// Accepts the links of one phone's apps.
struct TestJPushDoor: LinkAcceptor {
    let service: TestJPush
    let phone: ObjectIdentifier
    let clock: VirtualClock
    /// The work of the phone's apps: a late answer is part of it once it is due.
    private let works: @Sendable () -> [AppWork]

    init(service: TestJPush, phone: TestPhone) {
        self.service = service
        self.phone = ObjectIdentifier(phone)
        clock = phone.clock
        // Weak: the phone keeps the door.
        works = { [weak device = phone.device] in device?.works ?? [] }
    }

    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        let session = LinkPeer()
        return { event in
            switch event {
            case .opened: break
            case .closed: service.state.withLock { $0.leave(connection) }
            case .received(let text):
                guard let frame = try? SDKFrame(text: text) else { return connection.close() }
                receive(frame, in: session, on: connection)
            }
        }
    }

    private func receive(_ frame: SDKFrame, in session: LinkPeer, on connection: any LinkConnection) {
        guard let id = session.device else {
            let (answers, id) = service.state.withLock { $0.enter(frame, from: phone, on: connection) }
            session.device = id
            for answer in answers { connection.send(answer.text) }
            if id == nil { connection.close() }
            return
        }
        switch frame {
        case .request(let number, _, let request):
            guard let (reply, delay) = service.state.withLock({ $0.answer(request, of: id) }) else { return }
            let answer = SDKFrame.reply(number: number, reply).text
            guard let delay else { return connection.send(answer) }
            let send: @Sendable () -> Void = { connection.send(answer) }
            if let work = works().first {
                _ = work.alarm(after: delay, on: clock, ring: send)
            } else {
                _ = Alarm(after: delay, on: clock, ring: send)
            }
        case .acknowledge(let position): service.state.withLock { $0.acknowledge(position, by: id) }
        case .register, .login, .registered, .loggedIn, .refused, .reply, .message, .takeBack: connection.close()
        }
    }
}
