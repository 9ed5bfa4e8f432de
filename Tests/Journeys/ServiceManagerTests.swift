import Foundation
import Glibc
import Logging
import NIOCore
import PushClock
import TestSupport
import Testing

@testable import PosthornStack

/// A service manager's end of `NOTIFY_SOCKET`.
private final class ManagerSocket: Sendable {
    struct Silence: Error {}

    private let descriptor: Int32

    /// Binds a name, which begins with `@` for an abstract one.
    init(_ name: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        // The longest time that a test waits for a message.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        let path = name.hasPrefix("@") ? "\0" + name.dropFirst() : name
        let status = unsafe try SocketAddress(unixDomainSocketPath: path).withSockAddr { address, _ in
            unsafe bind(descriptor, address, socklen_t(2 + path.utf8.count))
        }
        try #require(status == 0, "'\(name)' cannot be bound: \(errno)")
    }

    deinit { close(descriptor) }

    /// Returns the lines of the next message. Throws ``Silence`` if none comes within 30 seconds.
    func message() throws -> [String] {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = unsafe max(recv(descriptor, buffer.baseAddress, buffer.count, 0), 0)
        }
        guard !bytes.isEmpty else { throw Silence() }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether no message waits.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) < 0
            && errno == EAGAIN
    }
}

@Suite("Messages to a service manager", .timeLimit(.minutes(2)))
struct ServiceManagerTests {
    private let log = MemoryLog()

    private func manager(_ environment: [String: String]) throws -> ServiceManager? {
        try ServiceManager(environment: environment, processID: 42, logger: log.logger)
    }

    @Test("Readiness and shutdown arrive at a path and at an abstract name", arguments: [false, true])
    func messages(_ isAbstract: Bool) async throws {
        try withTemporaryFolder { folder in
            let name = isAbstract ? "@posthorn-\(UUID().uuidString)" : folder.appending(path: "notify").path
            let socket = try ManagerSocket(name)
            let manager = try #require(try manager(["NOTIFY_SOCKET": name]))
            manager.isReady("Listens on http://127.0.0.1:8080")
            #expect(try socket.message() == ["READY=1", "STATUS=Listens on http://127.0.0.1:8080"])
            manager.isStopping()
            #expect(try socket.message().first == "STOPPING=1")
            #expect(log.entries.isEmpty)
        }
    }

    @Test("Without a manager there is nobody to tell", arguments: [[:], ["NOTIFY_SOCKET": ""], ["WATCHDOG_USEC": "5"]])
    func nobody(_ environment: [String: String]) throws {
        #expect(try manager(environment) == nil)
    }

    @Test(
        "A variable outside the protocol is named, with the value and with what is expected",
        arguments: [
            (
                ["NOTIFY_SOCKET": "vsock:2:1234"],
                "The variable NOTIFY_SOCKET is 'vsock:2:1234'; expected an absolute path"
            ),
            (["NOTIFY_SOCKET": "/"], "The variable NOTIFY_SOCKET is '/'"),
            (["NOTIFY_SOCKET": "@"], "The variable NOTIFY_SOCKET is '@'"),
            (["NOTIFY_SOCKET": "/" + String(repeating: "a", count: 108)], "The variable NOTIFY_SOCKET is '/aaa"),
            (
                ["NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "soon"],
                "The variable WATCHDOG_USEC is 'soon'; expected a positive number of microseconds."
            ),
            (["NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "0"], "The variable WATCHDOG_USEC is '0'"),
        ] as [([String: String], String)]
    )
    func badVariable(_ environment: [String: String], _ message: String) {
        let problem = #expect(throws: ServiceManagerProblem.self) { try manager(environment) }
        #expect(problem?.description.hasPrefix(message) == true, "\(String(describing: problem))")
    }

    @Test(
        "The watchdog is for the process that it names",
        arguments: [("42", .microseconds(30_000_000)), ("43", nil), (nil, .microseconds(30_000_000))]
            as [(String?, Duration?)]
    )
    func watchdogOwner(_ owner: String?, _ expected: Duration?) throws {
        var environment = ["NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "30000000"]
        environment["WATCHDOG_PID"] = owner
        #expect(try #require(try manager(environment)).watchdog == expected)
    }

    @Test("A manager that does not listen is a warning")
    func goneManager() async throws {
        try withTemporaryFolder { folder in
            let manager = try #require(try manager(["NOTIFY_SOCKET": folder.appending(path: "gone").path]))
            manager.isReady("Ready")
            let entry = try #require(log.entries.first)
            #expect(entry.level == .warning && log.entries.count == 1)
            #expect(entry.metadata == ["message": "READY=1", "error": "No such file or directory"])
        }
    }

    @Test("Keep-alive messages come at half the interval, and only while the process works")
    func watchdog() async throws {
        try await withTemporaryFolder { folder in
            let name = folder.appending(path: "notify").path
            let socket = try ManagerSocket(name)
            let manager = try #require(try manager(["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000000"]))
            let clock = VirtualClock()
            let stuck = Announcement<Void>()
            let release = Announcement<Void>()
            let checks = Counter()
            let service = WatchdogService(manager: manager, limit: try #require(manager.watchdog), clock: clock) {
                guard checks.next() == 3 else { return }
                stuck.make(.success(()))
                try await release.value
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                for _ in 1...2 {
                    try await clock.sleeper(for: .seconds(15))
                    #expect(try socket.message() == ["WATCHDOG=1"])
                    #expect(socket.isQuiet)
                    await clock.advance(by: .seconds(15))
                }
                // The third check does not return.
                try await event("the check hangs") { try await stuck.value }
                await clock.advance(by: .seconds(60))
                #expect(socket.isQuiet)
                release.make(.success(()))
                try await clock.sleeper(for: .seconds(15))
                #expect(try socket.message() == ["WATCHDOG=1"])
                group.cancelAll()
            }
        }
    }
}
