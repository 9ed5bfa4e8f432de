import CProcess
import Dispatch
import Foundation
import Glibc
import Synchronization

/// One end of the socket between a device and an app, for sending and receiving frames.
package final class FrameSocket: Sendable {
    private let descriptor: Int32
    /// Held while a frame is written, so that frames do not interleave.
    private let writing = Mutex(())

    /// - Parameter descriptor: an open stream socket, which is closed with this object.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// Writes a frame, and waits while the other end does not read. Has no effect on a socket that is shut down.
    package func write(_ frame: [UInt8]) {
        writing.withLock { _ in
            var rest = frame[...]
            while !rest.isEmpty {
                // The pointer is used only during the call.
                let count = unsafe rest.withUnsafeBytes { bytes in
                    unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Waits for bytes.
    ///
    /// - Returns: an empty array at the end.
    func read() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            // The pointer is used only during the call, which returns how much it has filled.
            var received = unsafe Glibc.recv(descriptor, buffer.baseAddress, buffer.count, 0)
            while received < 0, errno == EINTR {
                received = unsafe Glibc.recv(descriptor, buffer.baseAddress, buffer.count, 0)
            }
            count = max(0, received)
        }
    }

    /// Shuts down both directions; bytes that the other end sent before can still be read.
    package func shut() { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Reads frames until the end of the socket, one at a time, after the bytes read earlier; `take` returns false to stop.
    ///
    /// - Throws: for bytes that are not a frame, and any error of `take`.
    package func readFrames<Frame: Decodable>(
        _ buffer: inout FrameBuffer,
        as type: Frame.Type,
        _ take: (Frame) throws(PortProblem) -> Bool
    ) throws(PortProblem) {
        while true {
            while let body = try buffer.next() {
                guard try take(FrameCoding.decode(body, as: type)) else { return }
            }
            let bytes = read()
            if bytes.isEmpty {
                if buffer.isWithinFrame { throw .cutShort }
                return
            }
            buffer.append(bytes)
        }
    }
}

/// Two related file descriptors; no child process inherits them, even if another thread starts one while they are
/// created.
package struct FilePair: Sendable {
    package var first: Int32
    package var second: Int32

    /// Creates the two ends of a stream socket.
    package static func sockets() throws(PortProblem) -> FilePair {
        try make { unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &$0) }
    }

    /// Creates a pipe; the end to read from comes first.
    static func pipe() throws(PortProblem) -> FilePair { try make { unsafe pipe2(&$0, O_CLOEXEC) } }

    /// Creates a pair with a C function that fills an array of two numbers.
    private static func make(_ fill: (inout [Int32]) -> Int32) throws(PortProblem) -> FilePair {
        var numbers: [Int32] = [0, 0]
        guard fill(&numbers) == 0 else {
            throw PortProblem("A connection cannot be created: \(unsafe String(cString: strerror(errno))).")
        }
        return FilePair(first: numbers[0], second: numbers[1])
    }
}

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
