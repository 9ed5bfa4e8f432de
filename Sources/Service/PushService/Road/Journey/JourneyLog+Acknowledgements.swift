import Logging
import PushClock
import PushModel
import Synchronization

// Acknowledgements of custom messages by devices. Losing them in a crash is harmless: the service sends the messages again, and the
// app drops those at or below its stored position.
extension JourneyLog {
    /// Records an acknowledgement, with the messages up to `position` that reached the device, until it is written.
    func acknowledge(_ device: DeviceID, through position: Int64, delivered messages: [MessageID]) {
        let (isFirst, isFirstDropped) = waiting.withLock { waiting in
            guard waiting.acknowledgements.count < Self.acknowledgementCapacity else {
                defer { waiting.dropsAcknowledgements = true }
                return (false, !waiting.dropsAcknowledgements)
            }
            defer {
                waiting.acknowledgements.add(device, through: position, delivered: messages)
                metrics.waiting(waiting)
            }
            return (waiting.acknowledgements.cursors.isEmpty, false)
        }
        if isFirst { acknowledged.raise() }
        if isFirstDropped {
            logger.warning(
                "Acknowledgements are dropped: too many are waiting to be written. Devices receive those messages again"
            )
        }
    }

    /// The limit on deliveries held in memory while the disk accepts no writes.
    private static let acknowledgementCapacity = 1_000_000

    /// Writes acknowledgements a short time after the first one arrives. Links that receive a message acknowledge it one after
    /// another, and a commit for each would cost more than everything else about them.
    func gatherAcknowledgements() async {
        while !Task.isCancelled {
            await acknowledged.wait()
            // Cancelled means shutdown, which writes the rest.
            try? await clock.sleep(for: Self.gathering)
            signal.raise()
        }
    }

    /// The time to collect acknowledgements. Devices that receive several messages within it acknowledge further positions.
    private static let gathering = Duration.seconds(1)

    /// Returns the deliveries as reports.
    func reports(of acknowledgements: Acknowledgements) -> some Sequence<JourneySpans.Report> {
        let date = clock.date
        return acknowledgements.deliveries.lazy.flatMap { message, devices in
            devices.lazy.map {
                JourneySpans.Report(message: message, device: $0, name: "receipt.acknowledged", date: date)
            }
        }
    }

    /// The position through which a device has acknowledged its messages, as far as that is not on disk yet.
    func acknowledgedPosition(of device: DeviceID) -> Int64 {
        waiting.withLock { max($0.acknowledgements.cursors[device] ?? 0, $0.writing.cursors[device] ?? 0) }
    }
}
