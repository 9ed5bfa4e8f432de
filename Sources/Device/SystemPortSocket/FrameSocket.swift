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

    /// Reads frames until the end of the socket, one at a time.
    ///
    /// - Parameters:
    ///   - buffer: the bytes read earlier.
    ///   - type: the type of the other end's frames.
    ///   - take: called with each frame; returns false to stop.
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
