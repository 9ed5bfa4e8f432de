import DequeModule
import DeviceLink
import Synchronization

/// One SDK link: its frames in order, its device, and the custom messages on their way.
final class SDKLinkSession: Sendable {
    enum Addition { case wasIdle, waits, isFull }
    /// The state of an unauthenticated link; `busy` while a frame waits for its answer.
    enum Unauthenticated { case idle, busy }

    enum Step {
        case frame(String)
        /// The device has acknowledged enough messages to make room for those still in the store.
        case catchUp(DeviceID, MessageOutbox.Gap)
        /// The link of this device has closed.
        case closed(DeviceID)
    }

    struct State {
        var frames: Deque<String> = []
        /// The size of `frames`, by ``SDKLinkSession/cost(_:)``.
        var waitingBytes = 0
        var isReadingHeld = false
        var hasRegistered = false
        var isBusy = false
        var isClosed = false
        var device: DeviceID?
        var takesMessages = true
        var outbox = MessageOutbox()
    }

    /// The budget for unanswered frames, in bytes. Beyond it reading pauses until half of them is answered. A client that keeps its
    /// window of 64 requests has a few thousand.
    static let budget = 256 << 10
    /// The budget of an unauthenticated link, which has one frame to send.
    static let unauthenticatedBudget = 16 << 10
    /// The limit for frames that arrived before reading paused: the contents of a socket, and a frame that was half read. Beyond it
    /// the link is closed.
    static let limit = 8 << 20
    /// The limit of an unauthenticated link, which may send only ``LinkConfiguration/unauthenticatedBytes``: the smallest
    /// frames, each with its overhead.
    static let unauthenticatedLimit = 1 << 20

    /// The cost of a frame with its overhead, in bytes.
    private static func cost(_ text: String) -> Int { text.utf8.count + 64 }

    let connection: any LinkConnection
    let state = Mutex(State())

    init(connection: any LinkConnection) { self.connection = connection }

    func add(_ text: String) -> Addition {
        state.withLock { state in
            let isUnauthenticated = state.device == nil
            state.waitingBytes += Self.cost(text)
            guard state.waitingBytes <= (isUnauthenticated ? Self.unauthenticatedLimit : Self.limit) else {
                return .isFull
            }
            state.frames.append(text)
            if state.waitingBytes > (isUnauthenticated ? Self.unauthenticatedBudget : Self.budget), !state.isReadingHeld
            {
                state.isReadingHeld = true
                // Under the lock, so that a concurrent `resumeReading` cannot come first.
                connection.holdReading()
            }
            guard !state.isBusy else { return .waits }
            state.isBusy = true
            return .wasIdle
        }
    }

    func next() -> Step? {
        state.withLock { state in
            guard state.frames.isEmpty else { return .frame(takeFrame(&state)) }
            if let device = state.device {
                if state.isClosed {
                    state.device = nil
                    return .closed(device)
                }
                if let gap = state.outbox.catchUp() { return .catchUp(device, gap) }
            }
            state.isBusy = false
            return nil
        }
    }

    private func takeFrame(_ state: inout State) -> String {
        let text = state.frames.removeFirst()
        state.waitingBytes -= Self.cost(text)
        if state.isReadingHeld,
            state.waitingBytes <= (state.device == nil ? Self.unauthenticatedBudget : Self.budget) / 2
        {
            state.isReadingHeld = false
            connection.resumeReading()
        }
        return text
    }

    /// Notes a registration on this link.
    ///
    /// - Returns: false if a device was registered here before.
    func takesRegistration() -> Bool {
        state.withLock { state in
            defer { state.hasRegistered = true }
            return !state.hasRegistered
        }
    }

    /// Ends the session.
    ///
    /// - Returns: whether the caller has to run the remaining steps.
    func end() -> Bool {
        state.withLock { state in
            state.frames = []
            state.waitingBytes = 0
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

    /// The state of an unauthenticated link; nil if the link is authenticated or closed.
    var unauthenticated: Unauthenticated? {
        state.withLock { $0.device != nil || $0.isClosed ? nil : $0.isBusy ? .busy : .idle }
    }

    /// Whether custom messages for the device may be sent here.
    var takesMessages: Bool {
        get { state.withLock(\.takesMessages) }
        set { state.withLock { $0.takesMessages = newValue } }
    }

    func send(_ frame: SDKFrame) { connection.send(frame.text) }
}
