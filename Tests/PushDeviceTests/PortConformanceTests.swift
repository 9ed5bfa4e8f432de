import PosthornTesting
import PushClock
import PushDevice
import Synchronization
import SystemPort
import SystemPortConformance
import Testing

@Suite("The emulated device keeps the contract of the port", .timeLimit(.minutes(2)))
struct PortConformanceTests {
    @Test("In its own process", arguments: SystemPortConformance.clauses(with: Set(HostAbility.allCases)))
    func keeps(_ clause: SystemPortConformance.Clause) async throws {
        try await clause.check(EmulatedHost())
    }

    @Test("A host says what it cannot do")
    func abilities() async throws {
        let few = SystemPortConformance.clauses(with: [])
        let all = SystemPortConformance.clauses(with: Set(HostAbility.allCases))
        #expect(few.count > 10)
        #expect(few.count < all.count)
        #expect(Set(all.map(\.testDescription)).count == all.count)
        #expect(few.flatMap(\.needs) == [])
    }

    @Test("An engine that breaks a promise fails, and the failure says which")
    func broken() async throws {
        let clauses = SystemPortConformance.clauses(with: [])
        let storage = try #require(clauses.first { $0.testDescription.hasPrefix("A stored value") })
        await #expect {
            try await storage.check(ForgetfulHost())
        } throws: { error in
            (error as? ConformanceFailure)?.description
                == "Found failed(SystemPort.SystemError(domain: \"NSCocoaErrorDomain\", code: 3010, "
                + "text: \"No emulated device runs in this process.\")) as the reply to "
                + "writeStorage(key: \"a key with spaces/and \\\"quotes\\\"\", value: Optional(\"first\")); expected done."
        }
    }
}

private final class EmulatedHost: SystemPortHost {
    let abilities = Set(HostAbility.allCases)
    private let phone = TestPhone()
    private let app = InstalledApp(bundleID: "com.example.conformance")
    private let makeEndpoint = Mutex<(@Sendable (any SystemPort) -> any AppEndpoint)?>(nil)
    private var device: Device { phone.device }

    init() { phone.device.setPrompts(.allow) }

    func launch(_ endpoint: @escaping @Sendable (any SystemPort) -> any AppEndpoint) async throws -> any SystemPort {
        let isFirst = makeEndpoint.withLock { make in
            defer { make = endpoint }
            return make == nil
        }
        if isFirst {
            device.install(app) { [weak self] port in
                guard let make = self?.makeEndpoint.withLock(\.self) else { fatalError("The host is gone.") }
                return make(port)
            }
        }
        device.open(app.bundleID)
        await device.settled()
        device.background(app.bundleID)
        await device.settled()
        return try #require(device.port(of: app.bundleID))
    }

    func terminate() async throws {
        device.terminate(app.bundleID)
        await device.settled()
    }

    func setPermission(_ isAllowed: Bool) async throws { device.setPrompts(isAllowed ? .allow : .deny) }

    func advance(by time: Duration) async throws {
        await phone.clock.advance(by: time)
        await device.settled()
    }

    func tap(_ identifier: String) async throws {
        await device.settled()
        let shown = device.screen.list.first { $0.notification.identifier == identifier }
        let id = try #require(shown).id
        #expect(device.tap(id))
        await device.settled()
    }
}

/// A host whose engine carries out nothing.
private struct ForgetfulHost: SystemPortHost {
    let abilities: Set<HostAbility> = []

    func launch(_ endpoint: @escaping @Sendable (any SystemPort) -> any AppEndpoint) async throws -> any SystemPort {
        NoDevice.shared
    }
}
