import Dispatch
import Synchronization

/// Queues frames so that sending does not wait for the reader, which may be suspended.
final class FrameOutbox: Sendable {
    /// The maximum backlog for an app that does not read: about half an hour of the device's maximum output.
    static let limit = 64 << 20

    private struct State {
        var waiting: [[UInt8]] = []
        var bytes = 0
        var isWriting = false
        var isFull = false
    }

    private let socket: FrameSocket
    private let queue = DispatchQueue(label: "posthorn.port.outbox")
    private let state = Mutex(State())

    init(_ socket: FrameSocket) { self.socket = socket }

    /// - Throws: when the backlog is too large, or the frame is too long.
    func send(_ frame: DeviceFrame) throws(PortProblem) {
        let bytes = try FrameCoding.encode(frame)
        let (mustWrite, isFull) = state.withLock { state in
            state.isFull = state.isFull || state.bytes + bytes.count > Self.limit
            if state.isFull { return (false, true) }
            state.waiting.append(bytes)
            state.bytes += bytes.count
            defer { state.isWriting = true }
            return (!state.isWriting, false)
        }
        if isFull { throw PortProblem("It does not read from its device: \(Self.limit) bytes are waiting.") }
        if mustWrite { queue.async { self.writeAll() } }
    }

    private func writeAll() {
        while true {
            let frames = state.withLock { state in
                defer { state.waiting = [] }
                state.isWriting = !state.waiting.isEmpty
                return state.waiting
            }
            if frames.isEmpty { return }
            for frame in frames {
                socket.write(frame)
                state.withLock { $0.bytes -= frame.count }
            }
        }
    }
}
