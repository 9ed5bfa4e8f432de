import DequeModule
import DeviceLink
import PushModel
import Synchronization

/// One SDK link: its frames in their order, who is at the other end, and the custom messages on their way there.
final class SDKLinkSession: Sendable {
    enum Addition { case wasIdle, waits, isFull }
    /// Somebody who has not said which device it is; `busy` while a frame waits for its answer.
    enum Stranger { case idle, busy }

    enum Step {
        case frame(String)
        /// The device has acknowledged enough of its messages for those that had no room.
        case catchUp(DeviceID, MessageOutbox.Gap)
        /// The link is closed, and this device was at its other end.
        case farewell(DeviceID)
    }

    struct State {
        var frames: Deque<String> = []
        /// What `frames` take, by ``SDKLinkSession/cost(_:)``.
        var waitingBytes = 0
        var isReadingHeld = false
        var hasRegistered = false
        var isBusy = false
        var isClosed = false
        var device: DeviceID?
        var takesMessages = true
        var mail = MessageOutbox()
    }

    /// Bytes of frames that may wait for their answers; beyond, no more is read until half of them is answered. A client that keeps
    /// its window of 64 requests has a few thousand.
    static let budget = 256 << 10
    /// The same of a stranger, who has one frame to say.
    static let strangerBudget = 16 << 10
    /// What may wait nevertheless, as it had arrived before: what a socket holds, and a frame that was half read. Beyond, the link ends.
    static let limit = 8 << 20
    /// The same of a stranger, from whose socket no more than ``LinkConfiguration/strangerBytes`` come: the smallest frames, each with
    /// its place.
    static let strangerLimit = 1 << 20

    /// What a frame takes, itself and its place.
    private static func cost(_ text: String) -> Int { text.utf8.count + 64 }

    let connection: any LinkConnection
    let state = Mutex(State())

    init(connection: any LinkConnection) { self.connection = connection }

    func add(_ text: String) -> Addition {
        state.withLock { state in
            let isStranger = state.device == nil
            state.waitingBytes += Self.cost(text)
            guard state.waitingBytes <= (isStranger ? Self.strangerLimit : Self.limit) else { return .isFull }
            state.frames.append(text)
            if state.waitingBytes > (isStranger ? Self.strangerBudget : Self.budget), !state.isReadingHeld {
                state.isReadingHeld = true
                // Under the lock: whoever takes the frames may not be first with the opposite.
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
                    return .farewell(device)
                }
                if let gap = state.mail.catchUp() { return .catchUp(device, gap) }
            }
            state.isBusy = false
            return nil
        }
    }

    private func takeFrame(_ state: inout State) -> String {
        let text = state.frames.removeFirst()
        state.waitingBytes -= Self.cost(text)
        if state.isReadingHeld, state.waitingBytes <= (state.device == nil ? Self.strangerBudget : Self.budget) / 2 {
            state.isReadingHeld = false
            connection.resumeReading()
        }
        return text
    }

    /// - Returns: false if a device was registered here before.
    func takesRegistration() -> Bool {
        state.withLock { state in
            defer { state.hasRegistered = true }
            return !state.hasRegistered
        }
    }

    /// - Returns: whether somebody is to take the steps that are left.
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

    /// Nil when it is known which device is there, or the link is closed.
    var stranger: Stranger? {
        state.withLock { $0.device != nil || $0.isClosed ? nil : $0.isBusy ? .busy : .idle }
    }

    /// Whether custom messages of the device may come here.
    var takesMessages: Bool {
        get { state.withLock(\.takesMessages) }
        set { state.withLock { $0.takesMessages = newValue } }
    }

    func send(_ frame: SDKFrame) { connection.send(frame.text) }
}
