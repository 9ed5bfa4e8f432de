package import Logging
import NIOCore
import NIOPosix
package import PushClock
package import PushModel
import Synchronization

/// Persistence of the gateway's state.
extension Gateway {
    /// Creates a gateway that continues where the previous one ended, however that was; see
    /// ``init(secret:clock:sink:rules:)``.
    ///
    /// `mail` is the folder of its log, which is created if missing. Only one process at a time may use it.
    /// - Throws: if the log cannot be read or written.
    package convenience init(
        secret: [UInt8],
        mail folder: String,
        clock: any CivilClock,
        sink: (any JourneySink)? = nil,
        rules: GatewayRules = GatewayRules(),
        logger: Logger = Logger(label: "posthorn.gateway")
    ) throws {
        let mailbox = Mailbox(rules)
        var restoration = MailRestoration(mailbox)
        let segments = try MailSegments(folder: folder) { try restoration.apply($0) }
        var state = GatewayState()
        try restoration.finish(&state)
        if segments.cutOff > 0 {
            logger.notice(
                "The mail log ended with an incomplete frame, which was never acknowledged",
                metadata: ["octets": "\(segments.cutOff)"]
            )
        }
        state.tail = MailLogTail()
        self.init(
            secret: secret,
            clock: clock,
            sink: sink,
            mailbox: mailbox,
            rules: rules,
            state: state,
            log: MailLog(segments, smallestLimit: rules.smallestLog, logger: logger)
        )
        change { state in
            for index in state.records.indices { self.watchExpiration(of: index, &state) }
            if let next = state.channels.nextExpiration { self.wake(at: next, &state) }
        }
    }

    /// Whether the caller, who has just changed the state, has to call ``write()`` after releasing the lock.
    func mustWrite(_ state: inout GatewayState) -> Bool {
        guard let log else { return false }
        return state.tail?.claim(isBroken: log.isBroken) ?? false
    }

    func write() { NIOSingletons.posixBlockingThreadPool.submit { _ in self.log?.write(self.state) } }

    /// The log position where everything recorded so far will end.
    var position: Int64 { state.withLock { $0.tail?.position ?? 0 } }

    /// Returns when everything that was taken in before the call is on disk, or could not be written.
    package func flush() async {
        guard let log else { return }
        let position = position
        await withCheckedContinuation { continuation in
            let settling = Settling(position: position, log: log, continuation: continuation)
            log.listen(settling, for: position)
        }
    }
}

/// A wait for one position, which ends once: each call of `listen` is answered once.
private struct Settling: MailLogListener {
    let position: Int64
    let log: MailLog
    let continuation: CheckedContinuation<Void, Never>

    func durable(through position: Int64) {
        if position >= self.position { continuation.resume() } else { log.listen(self, for: self.position) }
    }

    func failed() { continuation.resume() }
}
