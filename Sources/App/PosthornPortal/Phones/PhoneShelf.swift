package import PushClock
package import PushDevice
import PushModel
import Synchronization

/// An emulated iPhone that the portal shows.
package struct PortalPhone: Sendable {
    package let device: PushDevice.Device
    /// The bundle id of its first app.
    package let bundleID: String
    /// The URL of the gateway's courier link.
    package let courier: String
    package let clock: TurnableClock

    package init(device: PushDevice.Device, bundleID: String, courier: String, clock: TurnableClock) {
        self.device = device
        self.bundleID = bundleID
        self.courier = courier
        self.clock = clock
    }
}

/// The phones that the portal shows, by name.
package final class PhoneShelf: Sendable {
    private let phones = Mutex<[PortalPhone]>([])

    package init() {}

    package func add(_ phone: PortalPhone) { phones.withLock { $0.append(phone) } }

    /// The names, in the order in which the phones were added.
    var names: [String] { phones.withLock { $0.map(\.device.name) } }

    /// Returns the phone with this name.
    subscript(_ name: String) -> PortalPhone? { phones.withLock { $0.first { $0.device.name == name } } }
}
