package import DeviceLink
import Logging
import PushClock
import PushModel
import ServiceLifecycle
import Synchronization

/// The service's end of all SDK links.
///
/// A link without traffic costs no task: frames wait in their session, and sessions with frames wait here for `run`.
package final class SDKLinkServer: LinkAcceptor, Service {
    private let desk: SDKLinkDesk
    private let sessions: AsyncStream<SDKLinkSession>
    private let busy: AsyncStream<SDKLinkSession>.Continuation
    private let logger: Logger

    init(desk: SDKLinkDesk, logger: Logger) {
        self.desk = desk
        self.logger = logger
        // Bounded by the number of links: a session stands in line at most once.
        (sessions, busy) = AsyncStream.makeStream()
    }

    package func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        let session = SDKLinkSession(connection: connection)
        return { [busy, logger] event in
            switch event {
            case .opened: break
            case .received(let text):
                switch session.add(text) {
                case .wasIdle: busy.yield(session)
                case .waits: break
                case .isFull:
                    logger.warning("An SDK link was closed: it sent more than it let be answered")
                    connection.close()
                }
            case .closed:
                if session.end() { busy.yield(session) }
            }
        }
    }

    /// Answers frames until graceful shutdown.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            for await session in sessions.cancelOnGracefulShutdown() {
                group.addTask { [desk] in
                    while let step = session.next() {
                        switch step {
                        case .frame(let text): await desk.answer(text, on: session)
                        case .farewell(let device): await desk.leave(device)
                        }
                    }
                }
            }
        }
        await desk.endAll()
    }
}

/// One SDK link: its frames in their order, and who is at the other end.
final class SDKLinkSession: Sendable {
    enum Addition { case wasIdle, waits, isFull }

    enum Step {
        case frame(String)
        /// The link is closed, and this device was at its other end.
        case farewell(DeviceID)
    }

    private struct State {
        var frames: [String] = []
        var isBusy = false
        var isClosed = false
        var device: DeviceID?
    }

    /// Frames that may wait.
    private static let capacity = 100

    let connection: any LinkConnection
    private let state = Mutex(State())

    init(connection: any LinkConnection) { self.connection = connection }

    func add(_ text: String) -> Addition {
        state.withLock { state in
            guard state.frames.count < Self.capacity else { return .isFull }
            state.frames.append(text)
            guard !state.isBusy else { return .waits }
            state.isBusy = true
            return .wasIdle
        }
    }

    func next() -> Step? {
        state.withLock { state in
            guard state.frames.isEmpty else { return .frame(state.frames.removeFirst()) }
            if state.isClosed, let device = state.device {
                state.device = nil
                return .farewell(device)
            }
            state.isBusy = false
            return nil
        }
    }

    /// - Returns: whether somebody is to take the steps that are left.
    func end() -> Bool {
        state.withLock { state in
            state.frames = []
            state.isClosed = true
            guard !state.isBusy, state.device != nil else { return false }
            state.isBusy = true
            return true
        }
    }

    var device: DeviceID? {
        get { state.withLock(\.device) }
        set { state.withLock { $0.device = newValue } }
    }

    func send(_ frame: SDKFrame) { connection.send(frame.text) }
}
