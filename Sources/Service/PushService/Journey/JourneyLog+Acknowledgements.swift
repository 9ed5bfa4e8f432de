import PushModel
import Synchronization

// What devices say of the custom messages that they have. Lost in a crash, it is no harm: the service sends those messages again,
// and the app drops what lies at or below the position that it keeps.
extension JourneyLog {
    /// * `messages`: those that came to the device, of all that lie up to `position`.
    func acknowledge(_ device: DeviceID, through position: Int64, delivered messages: [MessageID]) {
        waiting.withLock { $0.acknowledgements.add(device, through: position, delivered: messages) }
        signal.raise()
    }

    /// Up to where a device has had its messages, as far as that is not on disk yet.
    func settled(by device: DeviceID) -> Int64 {
        waiting.withLock { max($0.acknowledgements.cursors[device] ?? 0, $0.writing.cursors[device] ?? 0) }
    }
}
