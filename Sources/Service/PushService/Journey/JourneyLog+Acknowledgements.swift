import Logging
import PushModel
import Synchronization

// What devices say of the custom messages that they have. Lost in a crash, it is no harm: the service sends those messages again,
// and the app drops what lies at or below the position that it keeps.
extension JourneyLog {
    /// * `messages`: those that came to the device, of all that lie up to `position`.
    func acknowledge(_ device: DeviceID, through position: Int64, delivered messages: [MessageID]) {
        let (isFirst, isFirstDropped) = waiting.withLock { waiting in
            guard waiting.acknowledgements.count < Self.acknowledgementCapacity else {
                defer { waiting.dropsAcknowledgements = true }
                return (false, !waiting.dropsAcknowledgements)
            }
            defer { waiting.acknowledgements.add(device, through: position, delivered: messages) }
            return (waiting.acknowledgements.cursors.isEmpty, false)
        }
        if isFirst { acknowledged.raise() }
        if isFirstDropped {
            logger.warning(
                "Acknowledgements are dropped: too many wait for the disk. Devices are sent those messages again"
            )
        }
    }

    /// Deliveries held in memory at most while the disk takes nothing.
    private static let acknowledgementCapacity = 1_000_000

    /// Has what was acknowledged written some time after the first that says so: the links that get a message answer one after
    /// the other, and a commit for each would cost more than all else about them.
    func gatherAcknowledgements() async {
        while !Task.isCancelled {
            await acknowledged.wait()
            // Cancelled means shutdown, which writes what there is.
            try? await clock.sleep(for: Self.gathering)
            signal.raise()
        }
    }

    /// Links of devices that get several messages in this time say the same again and further.
    private static let gathering = Duration.seconds(1)

    /// Up to where a device has had its messages, as far as that is not on disk yet.
    func settled(by device: DeviceID) -> Int64 {
        waiting.withLock { max($0.acknowledgements.cursors[device] ?? 0, $0.writing.cursors[device] ?? 0) }
    }
}
