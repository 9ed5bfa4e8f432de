import PushModel
import Synchronization

/// Limits how many conclusions a device waits for at a time.
final class DiagnosisPlaces: Sendable {
    /// The most conclusions that a device waits for at a time.
    static let limit = 2

    private let taken = Mutex<[DeviceID: Int]>([:])

    /// Takes a place.
    ///
    /// - Returns: false if the device has none left.
    func take(_ device: DeviceID) -> Bool {
        taken.withLock { taken in
            guard taken[device, default: 0] < Self.limit else { return false }
            taken[device, default: 0] += 1
            return true
        }
    }

    /// Gives a place back.
    func leave(_ device: DeviceID) { taken.withLock { $0.countDown(device) } }
}
