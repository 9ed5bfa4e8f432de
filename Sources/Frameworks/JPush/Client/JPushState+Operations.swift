import DeviceLink
import Foundation
import PushModel

// Requests from the app to the service.

extension JPushState {
    struct Operation: Sendable {
        var number: Int64 = 0
        var request: SDKRequest
        var limits = CallGates.Limits()
        /// With `never` no caller waits for the answer: the request is kept until the service answers.
        var deadline: SDKLinkClient.Deadline = .fromNow
        var isDurable = false
        var answer: @Sendable (SDKReply) -> Void = { _ in }
    }

    mutating func request(_ asked: Operation, at now: Date) {
        let seconds = now.timeIntervalSinceReferenceDate
        if let code = gates.enter(lastOperation + 1, asked.limits, isPushOff: isStopped, at: seconds) {
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
        if operation.isDurable, stored != nil {
            durable.add(operation.request, as: operation.number)
            add(saveDurable())
        }
        if link != nil {
            send(operation)
            adjustLink()
        } else if let refusal {
            gates.leave(operation.number)
            add(.answer(operation.answer, SDKReply(code: refusal, message: ResultCode.text(refusal))))
        } else {
            early.append(operation)
        }
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
        gates.leave(operation.number)
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

    func saveDurable() -> Effect { .save(.requests, durable.text) }
}
