import MemoryEngine
import SystemPort
import SystemPortConformance
import Testing

@Suite("The engine in memory keeps the contract of the port")
struct MemoryEngineTests {
    @Test(arguments: SystemPortConformance.clauses(with: Set(HostAbility.allCases)))
    func keeps(_ clause: SystemPortConformance.Clause) async throws {
        try await clause.check(MemoryHost())
    }
}

private final class MemoryHost: SystemPortHost {
    let abilities = Set(HostAbility.allCases)
    private let engine = MemoryEngine()

    func launch(_ endpoint: @escaping @Sendable (any SystemPort) -> any AppEndpoint) async throws -> any SystemPort {
        engine.launch(endpoint)
    }

    func terminate() async throws { engine.terminate() }

    func setPermission(_ isAllowed: Bool) async throws { engine.setPermission(isAllowed) }

    func advance(by time: Duration) async throws { await engine.advance(by: time) }

    func tap(_ identifier: String) async throws { #expect(engine.tap(identifier)) }
}
