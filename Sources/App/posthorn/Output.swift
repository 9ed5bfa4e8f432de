import ArgumentParser
import Foundation
import PushModel
import Synchronization

/// The lines that commands print within a task, instead of to standard output.
final class PrintedLines: Sendable {
    @TaskLocal static var current: PrintedLines?

    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Writes a line to standard output without buffering, even into a pipe; or to ``PrintedLines`` if the task collects them.
///
/// If the reader has closed the pipe, the process ends, like other commands of a pipeline. It also ends, with a message, if the line cannot
/// be written for another reason, such as a full disk.
func printLine(_ text: String) {
    if let printed = PrintedLines.current { return printed.add(text) }
    guard let number = Output.write(text.printedLines + "\n", to: STDOUT_FILENO) else { return }
    Output.end(number)
}

/// Writes whole lines to standard output, as ``printLine(_:)`` does.
func printLines(_ lines: [UInt8]) {
    guard !lines.isEmpty else { return }
    printLine(String(decoding: lines.dropLast(), as: UTF8.self))
}

/// Writes an object to standard output, as one line of JSON.
func printJSON(_ members: JSONMembers) { printLine(members.json.text) }

/// Writes a line to standard error.
func printNote(_ text: String) { _ = Output.write(text.printedLines + "\n", to: STDERR_FILENO) }

/// Writes to standard error without a line ending.
func printBar(_ text: String) { _ = Output.write(text, to: STDERR_FILENO) }

/// A number with its noun, such as `1 app` and `2 pushes`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : noun.hasSuffix("push") ? "es" : "s")"
}

enum Output {
    /// Whether SIGTERM shuts the process down gracefully, and whether that has been requested already.
    private static let state = Mutex((isGraceful: false, hasEnded: false))
    private static let failure = Atomic(false)

    /// Whether a line could not be written, other than because its reader has closed the pipe.
    static var hasFailed: Bool { failure.load(ordering: .acquiring) }

    /// Ignores SIGPIPE. Otherwise a write into a closed pipe would kill the process before it can clean up.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// Must be called once services run that SIGTERM shuts down.
    static func endsGracefully() { state.withLock { $0.isGraceful = true } }

    /// Writes all of the text.
    ///
    /// - Returns: the system's number of the error that has prevented it; nil if all was written.
    fileprivate static func write(_ text: String, to descriptor: Int32) -> Int32? {
        ignoresBrokenPipes
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe systemWrite(descriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR && errno != EAGAIN {
                return errno
            }
        }
        return nil
    }

    /// Ends the process because of an error of standard output.
    fileprivate static func end(_ number: Int32) {
        let (isGraceful, hasEnded) = state.withLock { state in
            defer { state.hasEnded = true }
            return state
        }
        guard !hasEnded else { return }
        if number != EPIPE {
            failure.store(true, ordering: .releasing)
            let reason = unsafe String(cString: strerror(number))
            printNote("Error: The standard output cannot be written: \(reason).")
        }
        if isGraceful {
            kill(getpid(), SIGTERM)
        } else {
            // The status that a shell reports for a process ended by SIGPIPE.
            exit(number == EPIPE ? 128 + SIGPIPE : ExitCode.failure.rawValue)
        }
    }
}

/// `write(2)`, under a name that does not clash with the functions here.
private let systemWrite = unsafe write as @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int

extension String {
    /// The text with what could control a terminal written out as in JSON, whose texts stay the same; lines and tabs stay.
    fileprivate var printedLines: String {
        // Most text is ASCII without anything to escape.
        guard utf8.contains(where: { $0 >= 0x7F || $0 < 0x20 && $0 != 0x0A && $0 != 0x09 }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl, scalar != "\n", scalar != "\t" {
                text += "\\u\(scalar.codePoint.dropFirst(2))"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
