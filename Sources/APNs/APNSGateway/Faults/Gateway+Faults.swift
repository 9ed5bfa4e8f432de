import APNSTransport
import DeviceLink
import Foundation
import PushClock
import PushModel

/// Fault injection.
extension Gateway {
    // MARK: - Setting and lifting

    /// Sets a fault, effective from now on. Request faults apply to connections with a socket, delivery faults to all.
    ///
    /// `seed` is the seed of its random choices; if nil, the gateway draws one and reports it.
    @discardableResult
    package func add(_ fault: Fault, seed: UInt64? = nil) -> ActiveFault { changeFaults { $0.add(fault, seed: seed) } }

    /// Starts a script now.
    @discardableResult
    package func run(_ script: FaultScript) -> RunningScript { changeFaults { $0.run(script) } }

    /// The faults that are set, without those that have ended or have nothing left to do.
    package var faults: [ActiveFault] { faultController.faults }

    /// The scripts that were started, at most the last 100.
    package var scripts: [RunningScript] { faultController.scripts }

    /// The faults that were carried out, oldest first, at most the last 10,000.
    package func faultLog(after number: Int = 0) -> [FaultRecord] { faultController.log(after: number) }

    /// Lifts a fault; requests that wait because of it proceed.
    ///
    /// - Returns: false if there is none with this number.
    @discardableResult
    package func liftFault(_ id: Int) -> Bool { changeFaults { $0.lift { $0.id == id } > 0 } }

    /// Lifts all faults.
    package func liftFaults() { _ = changeFaults { $0.lift { _ in true } } }

    /// Lifts the faults of a script, and removes it.
    ///
    /// - Returns: false if there is none with this number.
    @discardableResult
    package func endScript(_ id: Int) -> Bool { changeFaults { $0.forget(script: id) } }

    private func changeFaults<Result>(_ body: (FaultController) -> Result) -> Result {
        defer { announceStreamLimits() }
        return body(faultController)
    }

    /// Carries out the timed effects of faults, until the task is cancelled. Must be called once.
    package func runFaults() async { await faultController.run { self.announceStreamLimits() } }

    // MARK: - Connections

    /// The open provider connections, in the order in which they were opened.
    package var providers: [ProviderSession] { providerSessions.sessions }

    package func provider(_ number: Int) -> ProviderSession? { providerSessions.session(number) }

    private func announceStreamLimits() {
        for session in providerSessions.sessions { session.announceStreamLimit() }
    }

    // MARK: - Answers and deliveries

    /// Returns the answer that a fault prescribes, with the headers of every APNs answer.
    func answer(_ fault: FaultAnswer, to request: HTTP2Message, _ environment: APNSEnvironment) -> HTTP2Answer {
        var body = Array((fault.body ?? "").utf8)
        if let reason = fault.reason {
            var object: JSONObject = ["reason": .string(credentials.rules.spelling(of: reason))]
            object["timestamp"] = JSONValue(fault.timestamp)
            body = JSONValue.object(object).bytes
        }
        var answer = HTTP2Answer(status: fault.status, body: body)
        let range = request.range(of: .apnsID)
        let id = range.flatMap { APNSID(request.octets.span.extracting($0)) } ?? makeID()
        addIDs(to: &answer, id, at: range, environment)
        if fault.reason != nil { answer.add(.contentType, Self.json, indexing: .whole) }
        if let seconds = fault.retryAfter { answer.add(.retryAfter, Array(String(seconds).utf8)) }
        let counted = GatewayCounts.Answer(environment: environment, status: fault.status, reason: fault.reason)
        counts.answered(id, counted, at: clock.date)
        return answer
    }
}

extension FaultDelivery {
    init(_ push: CourierPush, _ token: DeviceToken) {
        self.init(environment: push.environment, topic: push.topic, token: token, apnsID: push.apnsID)
    }
}
