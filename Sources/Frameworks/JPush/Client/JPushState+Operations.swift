import DeviceLink
import Foundation
import PushModel

// Requests from the app to the service.

extension JPushState {
    /// A limit of one operation of a kind at a time: a second one is refused until the first is answered, for at most
    /// 20 seconds.
    enum Gate: Hashable, Sendable {
        case tags
        case alias
    }

    /// A limit on the number of operations of a kind per interval.
    enum Rate: Hashable, Sendable {
        /// Tags, alias and properties.
        case labels
        case phone

        /// The number of operations in ``CallRateLimit/length``.
        var limit: Int { self == .labels ? 10 : 3 }
    }

    struct Operation: Sendable {
        var number: Int64 = 0
        var request: SDKRequest
        var gate: Gate?
        var rate: Rate?
        /// With `never` no caller waits for the answer: the request is kept until the service answers.
        var deadline: SDKLinkClient.Deadline = .fromNow
        /// Whether it works while the push service is stopped.
        var ignoresSwitch = false
        var isDurable = false
        var answer: @Sendable (SDKReply) -> Void = { _ in }
    }

    mutating func request(_ asked: Operation, at now: Date) {
        if let code = refusalCode(of: asked, at: now) {
            add(.log(.warning, "\(asked.request.name): code \(code), \(ResultCode.text(code))."))
            return add(.answer(asked.answer, SDKReply(code: code)))
        }
        lastOperation += 1
        var operation = asked
        operation.number = lastOperation
        // Requests made before the device is registered wait for the registration, even across restarts.
        if registrationID == nil, asked.deadline == .fromNow { operation.deadline = .onceSent }
        let waits = operation.deadline != .fromNow && refusal == nil
        operation.isDurable = waits && !operation.request.isQuestion
        if let gate = operation.gate {
            busy[gate] = operation.number
            if waits { add(.watch(gate, operation: operation.number)) }
        }
        if operation.isDurable, stored != nil {
            durable.add(operation.request, as: operation.number)
            add(saveDurable())
        }
        if link != nil {
            send(operation)
            adjustLink()
        } else if let refusal {
            if let gate = operation.gate { busy[gate] = nil }
            add(.answer(operation.answer, SDKReply(code: refusal, message: ResultCode.text(refusal))))
        } else {
            early.append(operation)
        }
    }

    private mutating func refusalCode(of asked: Operation, at now: Date) -> Int? {
        if isStopped, !asked.ignoresSwitch { return ResultCode.stopped }
        if let rate = asked.rate, !admits(rate, at: now) { return ResultCode.tooOften }
        guard let gate = asked.gate, busy[gate] != nil else { return nil }
        return gate == .tags ? ResultCode.tagsBusy : ResultCode.aliasBusy
    }

    /// Counts a call that is answered without the service.
    mutating func admits(_ rate: Rate, at now: Date) -> Bool {
        rates[rate, default: CallRateLimit(limit: rate.limit)].admits(at: now)
    }

    mutating func send(_ operation: Operation) {
        guard var link else { return }
        let (number, actions) = link.request(operation.request, deadline: operation.deadline)
        self.link = link
        pending[number] = operation
        perform(actions)
    }

    mutating func answered(_ number: Int64, _ reply: SDKReply) {
        guard let operation = pending.removeValue(forKey: number) else { return }
        if let gate = operation.gate, busy[gate] == operation.number {
            busy[gate] = nil
            add(.unwatch(gate))
        }
        if operation.isDurable || durable.holds(operation.number) {
            durable.remove(operation.number)
            add(saveDurable())
        }
        if case .receipts = operation.request { settledReceipts() }
        if reply.code == 0 { noteSwitch(operation.request, reply) }
        if reply.code != 0 {
            let why = reply.message ?? ResultCode.text(reply.code)
            add(.log(.warning, "\(operation.request.name): code \(reply.code), \(why)."))
        }
        add(.answer(operation.answer, reply))
    }

    private mutating func noteSwitch(_ request: SDKRequest, _ reply: SDKReply) {
        let isOn: Bool
        switch request {
        case .pushSwitch(let asked): isOn = asked
        case .pushStatus: isOn = reply.isOn ?? !isStopped
        default: return
        }
        guard isStopped == isOn else { return }
        isStopped = !isOn
        add(save(link?.identity))
        if isOn { showInApp() }
    }

    /// Ends the exclusion by an operation after 20 seconds: the next one may start.
    mutating func gateIsOver(_ gate: Gate, _ operation: Int64) {
        if busy[gate] == operation { busy[gate] = nil }
    }

    func saveDurable() -> Effect { .save(.requests, durable.text) }
}
