import HTTPTypes
package import PushClock
package import PushDevice
import PushModel
package import PushService
import Synchronization

/// An emulated iPhone that the portal shows.
package struct PortalPhone: Sendable {
    package let device: PushDevice.Device
    /// The bundle id of its first app.
    package let bundleID: String
    /// The URL of the gateway's courier link.
    package let courier: String
    package let clock: TurnableClock
    /// Records the phone's run from now on.
    let recorder: RunRecorder

    package init(device: PushDevice.Device, bundleID: String, courier: String, clock: TurnableClock) {
        self.device = device
        self.bundleID = bundleID
        self.courier = courier
        self.clock = clock
        recorder = RunRecorder(device)
    }
}

/// Makes a phone with a version of iOS, switched on and registered: `name` and `system`, such as `iPhone 2` and `15.0`. Its sample
/// app belongs to `app`, or to the stack's own app if nil.
package typealias PhoneMaker = @Sendable (_ name: String, _ system: String, _ app: App?) async throws -> PortalPhone

/// The phones that the portal shows, by name.
package final class PhoneShelf: Sendable {
    private struct State {
        var phones: [PortalPhone] = []
        var maker: PhoneMaker?
        /// Counts the names given, so that none is given twice.
        var made = 0
    }

    /// The greatest number of phones, which all live in this process.
    static let limit = 50

    private let state = Mutex(State())

    package init() {}

    package func add(_ phone: PortalPhone) { state.withLock { $0.phones.append(phone) } }

    /// Sets what makes the phones that people add; without it, none can be added.
    package func setMaker(_ maker: @escaping PhoneMaker) { state.withLock { $0.maker = maker } }

    /// Whether people can add phones.
    var canAdd: Bool { state.withLock { $0.maker != nil } }

    /// Makes a phone and adds it.
    ///
    /// - Returns: its name.
    func makePhone(system: String, for app: App?) async throws -> String {
        let (maker, name) = try state.withLock { state throws(PortalProblem) in
            guard let maker = state.maker else { throw PortalProblem(.notFound, "not_found") }
            guard state.phones.count < Self.limit else { throw PortalProblem(.conflict, "too_many_phones") }
            let names = Set(state.phones.map(\.device.name))
            repeat { state.made += 1 } while names.contains(Self.name(state.made, system))
            return (maker, Self.name(state.made, system))
        }
        add(try await maker(name, system, app))
        return name
    }

    private static func name(_ number: Int, _ system: String) -> String { "iOS \(system) \(number)" }

    /// The phones, in the order in which they were added.
    var all: [PortalPhone] { state.withLock(\.phones) }

    /// The names, in the order in which the phones were added.
    var names: [String] { all.map(\.device.name) }

    /// Returns the phone with this name.
    subscript(_ name: String) -> PortalPhone? { all.first { $0.device.name == name } }
}
