import PushModel
import PushService
import Synchronization

/// Stands for APNs: keeps what it is given and answers as it is told.
final class ScriptedSender: PushSender {
    typealias Answer = @Sendable (APNSPush) async -> SendOutcome

    struct Sent: Sendable {
        var push: APNSPush
        var app: App
        var environment: APNSEnvironment
    }

    let sent = Recorder<Sent>()
    private let answer: Mutex<Answer>

    init(_ answer: @escaping Answer = { _ in SendOutcome(.accepted) }) {
        self.answer = Mutex(answer)
    }

    func answer(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    func send(_ push: APNSPush, for app: App, environment: APNSEnvironment) async -> SendOutcome {
        let answer = answer.withLock { $0 }
        sent.add(Sent(push: push, app: app, environment: environment))
        return await answer(push)
    }
}

/// A door that stays shut until it is opened.
final class Gate: Sendable {
    private let opened = Recorder<Void>()
    func open() { opened.add(()) }
    func pass() async { await opened.wait(for: 1) }
}
