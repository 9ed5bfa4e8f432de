import DeviceLink
import PushClock
import Synchronization
import SystemPort

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
        let session = Session()
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

    private func receive(_ frame: SDKFrame, in session: Session, on connection: any LinkConnection) {
        guard let id = session.device else {
            let (answers, id) = service.state.withLock { $0.enter(frame, from: phone, on: connection) }
            session.device = id
            for answer in answers { connection.send(answer.text) }
            if id == nil { connection.close() }
            return
        }
        switch frame {
        case .request(let number, let request):
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
        case .register, .login, .registered, .loggedIn, .refused, .reply, .message: connection.close()
        }
    }
}

/// The device of a link, known once it has entered.
private final class Session: Sendable {
    private let id = Mutex<String?>(nil)

    var device: String? {
        get { id.withLock { $0 } }
        set { id.withLock { $0 = newValue } }
    }
}
