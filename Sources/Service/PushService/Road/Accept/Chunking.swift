import Foundation
import PushModel

/// Splits an audience into chunks.
struct Chunking {
    /// The maximum number of devices in a chunk.
    static let size = 4000

    let chunks: [Chunk]

    /// Splits the audience of a message.
    ///
    /// Reachable devices are spread evenly over the minutes that the request specifies; a custom message is sent immediately.
    init(of resolution: Resolution, message: Message, _ request: PushRequest) {
        let pacedMinutes = request.options.slowMinutes
        var chunks: [Chunk] = []
        /// Returns the earliest time, in seconds, when a push with a send rate can reach a place; its chunk is not due earlier.
        func rateDelay(_ place: Int) -> TimeInterval { request.options.rate.map { Double(place) / Double($0) } ?? 0 }
        func add(_ kind: Chunk.Kind, _ ordinals: [DeviceOrdinal], count: Int, over duration: TimeInterval) {
            guard !ordinals.isEmpty else { return }
            for number in 0..<count {
                let range = ordinals.count * number / count..<ordinals.count * (number + 1) / count
                let ordinals = count == 1 ? ordinals : Array(ordinals[range])
                chunks.append(
                    Chunk(
                        id: Chunk.ID(message: message.id, number: chunks.count),
                        kind: kind,
                        ordinals: OrdinalList(ordinals),
                        dueAt: message.acceptedAt.addingTimeInterval(
                            max(duration * Double(number) / Double(count), rateDelay(range.lowerBound))
                        ),
                        updatedAt: message.acceptedAt
                    )
                )
            }
        }
        func count(_ ordinals: [DeviceOrdinal]) -> Int { (ordinals.count + Self.size - 1) / Self.size }
        let isForAPNs = request.isForAPNs
        let reachable = isForAPNs ? resolution.reachable : []
        // A paced push has at least one chunk per minute, if there are enough devices.
        let paced = min(Int(pacedMinutes), reachable.count)
        add(.send, reachable, count: max(count(reachable), paced), over: Double(pacedMinutes) * 60)
        func addAtOnce(_ kind: Chunk.Kind, _ ordinals: [DeviceOrdinal]) {
            add(kind, ordinals, count: count(ordinals), over: 0)
        }
        if isForAPNs {
            addAtOnce(.otherEnvironment, resolution.inOtherEnvironment)
            addAtOnce(.withoutToken, resolution.withoutToken)
            addAtOnce(.refused, resolution.refused)
        }
        addAtOnce(.stopped, resolution.stopped)
        if request.message != nil { addAtOnce(.message, resolution.forMessages) }
        if request.inAppMessage != nil { addAtOnce(.inApp, resolution.forInAppMessages) }
        self.chunks = chunks
    }
}
