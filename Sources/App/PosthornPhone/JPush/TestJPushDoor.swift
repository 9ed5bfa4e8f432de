import DeviceLink
import PushClock
import Synchronization

/// Accepts the links of one phone's apps.
struct TestJPushDoor: LinkAcceptor {
    let service: TestJPush
    let phone: ObjectIdentifier
    let clock: VirtualClock

    init(service: TestJPush, phone: TestPhone) {
        self.service = service
        self.phone = ObjectIdentifier(phone)
        clock = phone.clock
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
            // Unstructured: the service answers other requests meanwhile. It ends with the clock's time, or with the clock. Immediate,
            // so that it sleeps before the clock can be turned past the answer.
            Task.immediate { [clock] in
                try await clock.sleep(for: delay)
                connection.send(answer)
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
