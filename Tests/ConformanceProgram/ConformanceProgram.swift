import Foundation
import PushClock
import Synchronization
import SystemPort
import SystemPortConformance
import SystemPortSocket

/// Checks one clause on the port of this process. It asks its device for what a user does with lines on standard output; the
/// device answers each with a memory warning. The last line is the result.
@main
enum ConformanceProgram {
    static func main() async {
        guard let port = SystemPortSocket.SocketPort.ofThisProcess else {
            fatalError("This program is started by a test.")
        }
        let promise = ProcessInfo.processInfo.environment["CONFORMANCE_CLAUSE"]
        let host = SocketHost(port)
        let clauses = SystemPortConformance.clauses(with: host.abilities)
        guard let clause = clauses.first(where: { $0.testDescription == promise }) else {
            return print("failed: there is no clause '\(promise ?? "")'.")
        }
        do {
            try await clause.check(host)
            print("passed")
        } catch {
            print("failed: \("\(error)".replacing("\n", with: " "))")
        }
        // The device ends the process.
        try? await port.clock.sleep(for: .seconds(1_000_000))
    }
}

final class SocketHost: SystemPortHost {
    let abilities: Set<HostAbility> = [.permission, .time, .tap]
    private let port: SystemPortSocket.SocketPort
    private let answer = Mutex<Announcement<Void>?>(nil)

    init(_ port: SystemPortSocket.SocketPort) { self.port = port }

    func launch(_ endpoint: @escaping @Sendable (any SystemPort) -> any AppEndpoint) async throws -> any SystemPort {
        port.serve(ListeningEndpoint(endpoint(port)) { [weak self] in self?.take()?.make(.success(())) })
        return port
    }

    func setPermission(_ isAllowed: Bool) async throws { try await ask("permission \(isAllowed)") }
    func advance(by time: Duration) async throws { try await ask("advance \(time / .seconds(1))") }
    func tap(_ identifier: String) async throws { try await ask("tap \(identifier)") }

    private func take() -> Announcement<Void>? { answer.withLock { $0.take() } }

    private func ask(_ order: String) async throws {
        let answer = Announcement<Void>()
        self.answer.withLock { $0 = answer }
        print(order)
        try await answer.value
    }
}

/// Passes events on, and takes memory warnings for itself.
private final class ListeningEndpoint: AppEndpoint {
    private let app: any AppEndpoint
    private let warned: @Sendable () -> Void

    init(_ app: any AppEndpoint, warned: @escaping @Sendable () -> Void) {
        self.app = app
        self.warned = warned
    }

    func deliver(_ event: SystemEvent, reply: @escaping @Sendable (EventReply) -> Void) {
        guard case .memoryWarning = event.kind else { return app.deliver(event, reply: reply) }
        reply(.returned)
        warned()
    }

    func terminate() { app.terminate() }
}
