import Foundation

/// The link for custom messages while the app is in front: a WebSocket with the service's SDK link.
///
/// Where no link is to be had, from the second failure on, the waiting messages are fetched from time to time instead.
struct SocketState: Sendable {
    enum Action: Hashable, Sendable {
        case open(Int)
        case send(String)
        case ping
        case close
    }

    enum Phase: Hashable, Sendable {
        case off
        case waiting
        case opening
        case open
        case loggedIn
    }

    struct Login: Hashable, Sendable {
        var appKey: String
        var registration: Registration
        var position: Int64?
        var takesMessages: Bool
        var facts: Facts
    }

    /// The facts of the device and the app that go with each login.
    struct Facts: Hashable, Sendable {
        var zone: String?
        var appVersion: String?
        var language: String?
        var permission: DeviceValues.Permission?

        init(_ values: DeviceValues?) {
            zone = values?.zone
            appVersion = values?.appVersion
            language = values?.language
            permission = values?.permission
        }

        /// The members of the frame; those that are nil are left out.
        var members: [String: String] {
            var members: [String: String] = [:]
            members["zone"] = zone
            members["app-version"] = appVersion
            members["language"] = language
            members["permission"] = permission?.rawValue
            return members
        }

        fileprivate func set(in values: inout DeviceValues) {
            values.zone = zone
            values.appVersion = appVersion
            values.language = language
            values.permission = permission
        }
    }

    /// Whether the app is in front.
    var isInFront = false
    /// The time between two fetches if no links are opened, in seconds.
    var interval: TimeInterval = 30
    /// The milliseconds without a reply after which a link is given up: more than a caller waits.
    static let replyWait = 30_000
    /// The waits after links that have ended.
    static let backoff = Backoff(first: 1, longest: 60)
    /// Whether links are opened at all.
    var isUsed = true
    /// Whether all calls go over the link: there is no HTTPS.
    var callsOverLink = false
    /// The app's, for a registration over the link.
    var bundleID = ""
    /// Whether the service has to be told of the device token again: it has not said that it has one.
    var tokenIsNews = false
    /// The facts in the last login or registration of the link.
    var reported: Facts?
    /// Whether the service knows the events of receipts that came later, which would end the link of an earlier one.
    var takesAllEvents = false
    var phase = Phase.off
    /// The number of the current link.
    var number = 0
    var failures = 0
    /// The time between two pings of the app's own, in milliseconds.
    var heartbeat: Int?

    var isLoggedIn: Bool { phase == .loggedIn }
}

extension ClientState {
    mutating func moved(toFront isInFront: Bool) {
        guard socket.isInFront != isInFront else { return }
        socket.isInFront = isInFront
        if isInFront { fetchMessages() }
        retryNow()
    }

    /// Opens or closes the link, as it is wanted or not.
    mutating func adjustSocket() {
        let isWanted = socket.callsOverLink && hasCalls || socket.isInFront && login != nil
        if !isWanted { return closeSocket() }
        if socket.phase == .off { openSocket() }
    }

    mutating func closeSocket() {
        guard socket.phase != .off else { return }
        if socket.isLoggedIn, pace.owed > 0 { acknowledge() }
        endPace()
        if socket.phase == .waiting {
            add(.cancel(.link))
        } else {
            add(.socket(.close))
            endedLink()
            takeBackCallOfLink()
        }
        socket.phase = .off
        socket.number += 1
    }

    private mutating func openSocket() {
        socket.number += 1
        guard socket.isUsed else { return waitForSocket(socket.interval) }
        note { $0.tries() }
        socket.phase = .opening
        add(.socket(.open(socket.number)))
    }

    private mutating func waitForSocket(_ delay: TimeInterval) {
        socket.phase = .waiting
        add(.set(.link, after: delay.milliseconds))
    }

    mutating func waitedForSocket() {
        guard socket.phase == .waiting else { return }
        openSocket()
        // A link's login brings what waits: as many calls as phones at the end of all their links would be too many.
        if !socket.isUsed || socket.failures > 1 { fetchMessages() }
    }

    /// There is a network again: neither the link nor a call waits longer.
    mutating func networkReturned() {
        endSocketWait()
        retryNow()
    }

    mutating func endSocketWait() {
        guard socket.phase == .waiting, socket.isUsed else { return }
        add(.cancel(.link))
        waitedForSocket()
    }

    /// - Parameters:
    ///   - number: the link's.
    ///   - zone: the device's time zone at this moment; nil if it is as it was.
    ///   - language: the device's language at this moment; nil if it is as it was.
    mutating func socketOpened(_ number: Int, zone: String? = nil, language: String? = nil) {
        guard number == socket.number, socket.phase == .opening else { return }
        socket.phase = .open
        if let zone, saved.wanted != nil { saved.wanted?.zone = zone }
        if let language, saved.wanted != nil { saved.wanted?.language = language }
        note { $0.reached() }
        if let heartbeat = socket.heartbeat { add(.set(.heartbeat, after: heartbeat)) }
        logIn()
        proceed()
    }

    mutating func beat() {
        guard let heartbeat = socket.heartbeat else { return }
        add(.socket(.ping))
        add(.set(.heartbeat, after: heartbeat))
    }

    private mutating func endedLink() {
        if socket.phase == .opening { return }
        add(.cancel(.heartbeat))
        note { $0.ended() }
    }

    /// Logs in, or again on the same link: the service then takes the login's facts, and sends what waits.
    mutating func logIn() {
        guard let login else { return }
        socket.reported = login.facts
        var frame: [String: Any] = [
            "type": "login", "app-key": login.appKey, "registration-id": login.registration.id,
            "secret": login.registration.secret,
        ]
        frame["position"] = login.position
        if !login.takesMessages { frame["messages"] = false }
        for (name, value) in login.facts.members { frame[name] = value }
        add(.socket(.send(LinkWire.text(frame))))
    }

    // MARK: Acknowledgements

    /// Acknowledges the messages up to the position, in the form that the service reads fastest.
    mutating func acknowledge() {
        guard socket.isLoggedIn, let position = inbox.position else { return }
        add(.socket(.send(#"{"type":"ack","position":\#(position)}"#)))
    }

    mutating func tookMessage() { if socket.isLoggedIn { perform(pace.taken()) } }

    mutating func gathered() { perform(pace.waited()) }

    private mutating func perform(_ step: AcknowledgementPace.Step) {
        if step == .nothing { return }
        acknowledge()
        if step == .sendAndWait { add(.set(.gather, after: AcknowledgementPace.interval)) }
    }

    /// The next login reports the position, and the next link begins anew.
    private mutating func endPace() {
        pace = AcknowledgementPace()
        add(.cancel(.gather))
    }

    mutating func socketClosed(_ number: Int, _ reason: String = "") {
        if number == socket.number { lostLink(reason) }
    }

    /// The link has ended, or is of no use: the next one follows after a wait.
    mutating func lostLink(_ reason: String, closing: Bool = false) {
        guard socket.phase != .off, socket.phase != .waiting else { return }
        if closing { add(.socket(.close)) }
        // It has brought them.
        if socket.isLoggedIn { wantsMessages = false }
        if socket.callsOverLink, socket.phase == .opening {
            let message = "the service cannot be reached: \(reason)"
            note { $0.failed(PosthornError(code: PosthornError.notSentYet, message: message)) }
        }
        endPace()
        endedLink()
        socket.number += 1
        takeBackCallOfLink()
        waitForNextLink()
        if socket.callsOverLink { settle(isSent: false) }
        proceed()
    }

    private mutating func waitForNextLink() {
        socket.failures += 1
        waitForSocket(SocketState.backoff.wait(after: socket.failures, order: nil, using: &random))
    }

    // MARK: Calls

    /// Whether there is a call to make, or one under way on the link.
    private var hasCalls: Bool {
        switch phase {
        case .idle: nextCall() != nil
        case .calling(_, _, let isOverLink): isOverLink
        case .notStarted, .waiting, .refused: false
        }
    }

    /// Logs in again on a link whose login has other facts.
    mutating func reportChanges() {
        guard socket.callsOverLink, socket.isLoggedIn, let reported = socket.reported, let login else { return }
        if reported != login.facts { logIn() }
    }

    func mayCallOverLink(_ call: ServiceCall) -> Bool {
        if case .register = call { return socket.phase == .open }
        return socket.isLoggedIn
    }

    mutating func callOverLink(_ call: ServiceCall, number: Int) {
        if case .register(let values) = call { socket.reported = SocketState.Facts(values) }
        let frame = LinkWire.frame(
            of: call,
            number: number,
            bundleID: socket.bundleID,
            state: saved,
            takesAllEvents: socket.takesAllEvents
        )
        guard let frame else { return }
        add(.socket(.send(frame)))
        // One that ends with its caller ends before that.
        if case .operation(let number, _) = call, queue.endsWithCaller(number), patience < SocketState.replyWait {
            return
        }
        add(.set(.reply, after: SocketState.replyWait))
    }

    private mutating func takeBackCallOfLink() {
        if case .calling(_, _, true) = phase { takeBackCall() }
    }

    /// The service has taken the login, or the registration: it knows what they say.
    private mutating func loggedIn(_ frame: [String: Any]) {
        let hasToken = frame["has-token"] as? Bool
        socket.phase = .loggedIn
        socket.failures = 0
        socket.takesAllEvents = frame["sequence"] != nil
        note { $0.entered() }
        continueAbove(CustomMessage.integer(frame["sequence"]))
        if let wanted = saved.wanted, wanted.isToken(ofAnother: frame["token-digest"] as? String),
            wanted.token == saved.known?.token
        {
            separate()
            return proceed()
        }
        guard socket.callsOverLink, let reported = socket.reported else { return }
        let before = saved
        isNews = false
        saved.known = saved.known ?? saved.wanted?.withoutTokens
        if var known = saved.known {
            reported.set(in: &known)
            saved.known = known
        }
        if let isOn = frame["push"] as? Bool { saved.isPushOff = !isOn }
        socket.tokenIsNews = hasToken == nil
        if saved != before { save() }
        note(hasToken: hasToken ?? true, sent: saved.known?.token)
        proceed()
    }

    private mutating func refusedLink(_ error: PosthornError) {
        if case .calling(let call, let number, true) = phase {
            // A frame that the service does not take ends the link, whose unanswered call it was.
            return finished(number, LinkWire.failure(of: call, error))
        }
        if error.code == PosthornError.forgotten {
            forget(error)
            if socket.callsOverLink { waitForNextLink() }
            return proceed()
        }
        guard socket.callsOverLink else { return }
        if error.code == PosthornError.tooOften { return lostLink(error.message, closing: true) }
        refuse(error, "The link is refused: \(error)")
        proceed()
    }

    mutating func socketReceived(_ text: String, on number: Int) {
        guard number == socket.number, socket.phase == .open || socket.phase == .loggedIn,
            let frame = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        else { return }
        switch frame["type"] as? String {
        case "logged-in":
            loggedIn(frame)
        case "message", "in-app-message":
            guard let message = CustomMessage(frame) else { return }
            receive(message)
        case "take-back":
            for order in (frame["orders"] as? [[String: Any]] ?? []).compactMap(TakeBack.init) { add(.takeBack(order)) }
        case "refused":
            let code = frame["code"] as? Int ?? PosthornError.unknown
            let error = PosthornError(code: code, message: frame["message"] as? String ?? "")
            add(.log("The link is refused: \(error)"))
            refusedLink(error)
        default:
            // A frame of a later version, or a late reply.
            guard case .calling(let call, let number, true) = phase,
                let outcome = LinkWire.outcome(of: call, number: number, frame)
            else { return }
            finished(number, outcome)
        }
    }
}
