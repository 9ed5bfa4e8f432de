import Foundation

/// The link for custom messages while the app is in front: a WebSocket with the service's SDK link.
///
/// Where no link is to be had, the waiting messages are fetched from time to time instead.
struct SocketState: Hashable, Sendable {
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
        var zone: String?
        var appVersion: String?
    }

    /// Whether the app is in front.
    var isInFront = false
    /// The time between two fetches if no links are opened, in seconds.
    var interval: TimeInterval = 30
    /// The waits after links that have ended.
    static let backoff = Backoff(first: 1, longest: 60)
    /// Whether links are opened at all.
    var isUsed = true
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
        let isWanted = socket.isInFront && login != nil
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
        fetchMessages()
    }

    /// There is a network again: neither the link nor a call waits longer.
    mutating func networkReturned() {
        if socket.phase == .waiting, socket.isUsed {
            add(.cancel(.link))
            waitedForSocket()
        }
        retryNow()
    }

    mutating func socketOpened(_ number: Int) {
        guard number == socket.number, socket.phase == .opening else { return }
        socket.phase = .open
        note { $0.reached() }
        if let heartbeat = socket.heartbeat { add(.set(.heartbeat, after: heartbeat)) }
        logIn()
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
        var frame: [String: Any] = [
            "type": "login", "app-key": login.appKey, "registration-id": login.registration.id,
            "secret": login.registration.secret,
        ]
        frame["position"] = login.position
        if !login.takesMessages { frame["messages"] = false }
        frame["zone"] = login.zone
        frame["app-version"] = login.appVersion
        guard let data = try? JSONSerialization.data(withJSONObject: frame, options: .sortedKeys) else { return }
        add(.socket(.send(String(decoding: data, as: UTF8.self))))
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

    mutating func socketClosed(_ number: Int) {
        guard number == socket.number, socket.phase != .off, socket.phase != .waiting else { return }
        endPace()
        endedLink()
        socket.failures += 1
        socket.number += 1
        waitForSocket(SocketState.backoff.wait(after: socket.failures, order: nil, using: &random))
        fetchMessages()
    }

    mutating func socketReceived(_ text: String, on number: Int) {
        guard number == socket.number, socket.phase == .open || socket.phase == .loggedIn,
            let frame = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        else { return }
        switch frame["type"] as? String {
        case "logged-in":
            socket.phase = .loggedIn
            socket.failures = 0
            note { $0.entered() }
        case "message", "in-app-message":
            guard let message = CustomMessage(frame) else { return }
            receive(message)
        case "refused":
            let code = frame["code"] as? Int ?? PosthornError.unknown
            let error = PosthornError(code: code, message: frame["message"] as? String ?? "")
            add(.log("The link is refused: \(error)"))
            if code == PosthornError.forgotten {
                forget(error)
                proceed()
            }
        // A frame of a later version.
        default: break
        }
    }
}
