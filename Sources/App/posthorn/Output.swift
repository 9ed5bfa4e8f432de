import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes a line to standard output at once, also into a pipe.
///
/// When nobody reads there any more, the process ends, as other commands of a pipeline do.
func printLine(_ text: String) {
    guard !Output.write(text + "\n", to: STDOUT_FILENO) else { return }
    Output.end()
}

/// Writes a line to standard error.
func printNote(_ text: String) { _ = Output.write(text + "\n", to: STDERR_FILENO) }

/// Writes to standard error as it is, without an end of the line.
func printBar(_ text: String) { _ = Output.write(text, to: STDERR_FILENO) }

enum Output {
    /// Set once SIGTERM ends the process in good order; also: whether that was asked for already.
    private static let state = Mutex((isGraceful: false, hasEnded: false))
    /// Without this a write into a closed pipe kills the process before it could clean up.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// To be called when services run that SIGTERM shuts down.
    static func endsGracefully() { state.withLock { $0.isGraceful = true } }

    /// - Returns: false when the other end is closed.
    fileprivate static func write(_ text: String, to descriptor: Int32) -> Bool {
        ignoresBrokenPipes
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe systemWrite(descriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR && errno != EAGAIN {
                return errno != EPIPE
            }
        }
        return true
    }

    fileprivate static func end() {
        let (isGraceful, hasEnded) = state.withLock { state in
            defer { state.hasEnded = true }
            return state
        }
        guard !hasEnded else { return }
        if isGraceful {
            kill(getpid(), SIGTERM)
        } else {
            // What a shell reports for a process that SIGPIPE ended.
            exit(128 + SIGPIPE)
        }
    }
}

/// `write(2)`, under a name that the functions here do not hide.
private let systemWrite = unsafe write as @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int
