import Foundation
package import Logging
import NIOCore
import NIOPosix
package import PushClock
package import ServiceLifecycle

/// The service manager that started this process, such as systemd, and the messages to it.
///
/// The protocol is that of sd_notify(3): datagrams with lines of `NAME=value` to the socket that `NOTIFY_SOCKET` names. The keep-alive
/// interval of sd_watchdog_enabled(3) is in `WATCHDOG_USEC`, for the process `WATCHDOG_PID`.
package struct ServiceManager: Sendable {
    /// The time within which the manager expects a keep-alive message; nil if it expects none.
    package let watchdog: Duration?
    private let socket: SocketAddress
    /// The length of the address in bytes: an abstract name does not end with a 0.
    private let length: socklen_t
    private let logger: Logger

    /// Reads where the manager listens from the environment of the process; nil without `NOTIFY_SOCKET`, when the process was not started
    /// by a manager that waits for messages.
    ///
    /// - Parameters:
    ///   - environment: the variables of the process.
    ///   - processID: the id of the process.
    ///   - logger: receives failures to send, which do not stop the process.
    /// - Throws: ``ServiceManagerProblem`` if a variable has a value outside the protocol.
    package init?(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        processID: Int32 = getpid(),
        logger: Logger
    ) throws(ServiceManagerProblem) {
        guard let name = environment["NOTIFY_SOCKET"], !name.isEmpty else { return nil }
        let isAbstract = name.hasPrefix("@")
        guard isAbstract || name.hasPrefix("/"), name.utf8.count > 1,
            let socket = try? SocketAddress(unixDomainSocketPath: isAbstract ? "\0" + name.dropFirst() : name)
        else {
            throw ServiceManagerProblem(
                variable: "NOTIFY_SOCKET",
                found: name,
                expected: "an absolute path, or @ and an abstract name, of at most 107 bytes"
            )
        }
        self.socket = socket
        // The family of the address has two bytes: unix(7).
        length = socklen_t(2 + name.utf8.count)
        self.logger = logger
        watchdog = try Self.watchdog(environment, processID)
    }

    private static func watchdog(
        _ environment: [String: String],
        _ processID: Int32
    ) throws(ServiceManagerProblem) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"] else { return nil }
        guard let microseconds = Int64(text), microseconds > 0 else {
            throw ServiceManagerProblem(
                variable: "WATCHDOG_USEC",
                found: text,
                expected: "a positive number of microseconds"
            )
        }
        if let owner = environment["WATCHDOG_PID"], Int32(owner) != processID { return nil }
        return .microseconds(microseconds)
    }

    /// Tells the manager that the process accepts connections.
    ///
    /// - Parameter status: one line for the output of `systemctl status`.
    package func isReady(_ status: String) { send(["READY=1", "STATUS=\(status)"]) }

    /// Tells the manager that the process has begun to shut down.
    package func isStopping() { send(["STOPPING=1", "STATUS=Shutting down"]) }

    /// Tells the manager that the process works.
    func isAlive() { send(["WATCHDOG=1"]) }

    private func send(_ lines: [String]) {
        guard let trouble = trouble(sending: lines.joined(separator: "\n")) else { return }
        logger.warning(
            "The service manager was not notified",
            metadata: ["message": "\(lines[0])", "error": "\(trouble)"]
        )
    }

    /// Sends a datagram.
    ///
    /// - Parameter message: its text.
    /// - Returns: the reason why it was not sent; nil if it was.
    private func trouble(sending message: String) -> String? {
        let descriptor = Self.datagramSocket()
        guard descriptor >= 0 else { return Self.reason }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        // The pointers are used only during the call.
        let count = unsafe socket.withSockAddr { address, _ in
            unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
        }
        return count == bytes.count ? nil : Self.reason
    }

    private static func datagramSocket() -> Int32 {
        #if canImport(Glibc)
        Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
        Musl.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
        #endif
    }

    private static var reason: String { unsafe String(cString: strerror(errno)) }
}

/// A variable of the service manager that cannot be used.
package struct ServiceManagerProblem: Error, CustomStringConvertible {
    package var variable: String
    package var found: String
    package var expected: String

    package var description: String { "The variable \(variable) is '\(found)'; expected \(expected)." }
}

extension ServiceManager {
    /// Adds to the services of a server what keeps its manager informed.
    ///
    /// - Parameters:
    ///   - services: the services of the server, in starting order.
    ///   - clock: measures the keep-alive interval.
    /// - Returns: the services to run, in starting order.
    package func informed(of services: [any Service], clock: any CivilClock) -> [any Service] {
        let watchdogs: [any Service] =
            watchdog.map { [WatchdogService(manager: self, limit: $0, clock: clock) { try await Self.passAllLoops() }] }
            ?? []
        // The last service is the first to end, and the first one the last: a long shutdown is alive too.
        return watchdogs + services + [StoppingNotice(manager: self)]
    }

    /// Waits until each event loop has run a task.
    private static func passAllLoops() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
    }
}

/// Sends keep-alive messages at half the interval that the manager expects, as sd_watchdog_enabled(3) advises, for as long as the
/// process works.
struct WatchdogService: Service {
    let manager: ServiceManager
    let limit: Duration
    let clock: any CivilClock
    /// Returns once the process has shown that it works. While it does not return, no message is sent.
    let check: @Sendable () async throws -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if (try? await check()) != nil { manager.isAlive() }
                // Cancelled means shutdown.
                try? await clock.sleep(for: limit / 2)
            }
        }
    }
}

/// Tells the manager about the beginning of a shutdown.
private struct StoppingNotice: Service {
    let manager: ServiceManager

    func run() async throws {
        // When cancelled, the process ends with an error.
        guard (try? await gracefulShutdown()) != nil else { return }
        manager.isStopping()
    }
}
