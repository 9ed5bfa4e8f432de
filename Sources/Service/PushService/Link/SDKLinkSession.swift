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
        var frames: [String] = []
        var isBusy = false
        var isClosed = false
        var device: DeviceID?
        var takesMessages = true
        var mail = MessageOutbox()
    }

    /// Frames that may wait: more than an app has after a long time alone.
    private static let capacity = 256

    let connection: any LinkConnection
    let state = Mutex(State())

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
