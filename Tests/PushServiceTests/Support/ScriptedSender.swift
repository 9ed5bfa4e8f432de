import PushModel
import PushService
import Synchronization
import TestSupport

/// Stands for APNs: keeps what it is given and answers as it is told.
final class ScriptedSender: PushSender {
    typealias Answer = @Sendable (APNSPush) async -> SendOutcome

    struct Sent: Sendable {
        var push: APNSPush
        var app: App
        var environment: APNSEnvironment
    }

    let sent = Recorder<Sent>()
    /// How many pushes came together.
    let batches = Recorder<Int>()
    private let answer: Mutex<Answer>

    init(_ answer: @escaping Answer = { _ in SendOutcome(.sent) }) {
        self.answer = Mutex(answer)
    }

    func answer(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    /// One connection for each app and environment that a push went to.
    func connections() async -> [SenderConnections] {
        let used = sent.elements.reduce(into: [App.ID: Set<APNSEnvironment>]()) { used, one in
            used[one.app.id, default: []].insert(one.environment)
        }
        return used.flatMap { app, environments in
            environments.map {
                SenderConnections(app: app, environment: $0, credential: 1, open: 1, lastTrouble: "scripted")
            }
        }
    }

    func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes {
        let answer = answer.withLock { $0 }
        batches.add(batch.count)
        return await withTaskGroup(of: (Int, SendOutcome).self) { group in
            for index in 0..<batch.count {
                let push = batch[index]
                sent.add(Sent(push: push, app: app, environment: environment))
                group.addTask { (index, await answer(push)) }
            }
            var outcomes = SendOutcomes()
            for await (index, outcome) in group { outcomes.add(outcome, of: index) }
            return outcomes
        }
    }
}

extension SendBatch {
    /// A single push.
    fileprivate subscript(index: Int) -> APNSPush {
        let push = pushes[index]
        return APNSPush(
            id: push.id.text,
            token: push.token,
            headers: headers[push.headers],
            payload: Array(bytes[push.payload])
        )
    }
}

/// A door that stays shut until it is opened.
final class Gate: Sendable {
    private let opened = Recorder<Void>()
    func open() { opened.add(()) }
    func pass() async { await opened.reach(1) }
}
