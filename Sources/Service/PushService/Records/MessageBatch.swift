package import Foundation
package import PushModel

/// Pushes from one request, to one device each: they are stored together and sent as one chunk, in which each has the place of its
/// device. All are notifications, or all are custom messages.
package struct MessageBatch: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var id: MessageID
        package var ordinal: DeviceOrdinal
        package var cid: String
        package var sendno: UInt32
        /// The push as written in the request, with a target instead of an audience.
        package var text: ArraySlice<UInt8>

        package init(id: MessageID, ordinal: DeviceOrdinal, cid: String, sendno: UInt32, text: ArraySlice<UInt8>) {
            self.id = id
            self.ordinal = ordinal
            self.cid = cid
            self.sendno = sendno
            self.text = text
        }

        package var result: PushResult { PushResult(messageID: id, sendno: sendno) }
    }

    package var app: App.ID
    package var acceptedAt: Date
    package var environment: APNSEnvironment
    package var timeToLive: Int64
    /// The kind of the chunk: `send` for notifications, `message` for custom messages.
    package var chunkKind: Chunk.Kind
    /// The kind of name in the targets.
    package var kind: TargetKind
    /// The pushes. Ids and ordinals ascend without duplicates.
    package var entries: [Entry]
    /// The request that it came with; nil for a batch that an earlier version accepted.
    package var origin: RequestOrigin?

    package init(
        app: App.ID,
        acceptedAt: Date,
        environment: APNSEnvironment,
        timeToLive: Int64,
        chunkKind: Chunk.Kind = .send,
        kind: TargetKind,
        entries: [Entry]
    ) {
        self.app = app
        self.acceptedAt = acceptedAt
        self.environment = environment
        self.timeToLive = timeToLive
        self.chunkKind = chunkKind
        self.kind = kind
        self.entries = entries
    }

    /// The lane of its pushes, each of which is for one device.
    package var lane: Lane { Lane(app: app, environment: environment, .immediate) }

    /// The time after which none of them is sent.
    package var expiresAt: Date { acceptedAt.addingTimeInterval(Double(timeToLive)) }

    /// Returns the place of the push for a device; nil if there is none.
    package func place(of ordinal: DeviceOrdinal) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].ordinal < ordinal { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].ordinal == ordinal ? low : nil
    }

    /// Returns a push as if it had come alone, and its parsed request.
    ///
    /// - Throws: ``JPushError`` for a text that this version of Posthorn does not accept.
    package func push(at place: Int) throws(JPushError) -> (message: Message, request: PushRequest) {
        let push = try BatchPush(parsing: entries[place].text, cid: entries[place].cid, to: kind)
        return (message(entries[place], push.body), push.request)
    }

    /// Returns a push as if it had come alone; one that cannot be parsed keeps its original text.
    package func message(at place: Int) -> Message {
        (try? push(at: place).message) ?? message(entries[place], Array(entries[place].text))
    }

    private func message(_ entry: Entry, _ body: [UInt8]) -> Message {
        var message = Message(
            id: entry.id,
            app: app,
            acceptedAt: acceptedAt,
            body: body,
            environment: environment,
            timeToLive: timeToLive,
            sendno: entry.sendno,
            cid: entry.cid
        )
        message.origin = origin
        return message
    }
}
