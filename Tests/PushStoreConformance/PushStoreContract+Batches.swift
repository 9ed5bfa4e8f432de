import Foundation
import PushModel
import PushService
import Testing

// Pushes that came together and lie together: to whoever asks for one of them it is as if it had come alone.
extension PushStoreContract {
    /// One push to each device, with ids from `first`, cids `c0`, `c1` … by the ordinal.
    private static func batch(
        _ first: Int64,
        to ordinals: [DeviceOrdinal],
        of app: App,
        at date: Date = start
    ) -> PreparedPush {
        let entries = ordinals.enumerated().map { place, ordinal in
            MessageBatch.Entry(
                id: MessageID(first + Int64(place)),
                ordinal: ordinal,
                cid: "c\(ordinal)",
                sendno: UInt32(truncatingIfNeeded: place - 1),
                text: Array(
                    "{\"platform\":\"all\",\"target\":\"d\(ordinal)\",\"notification\":{\"alert\":\"é\"}}".utf8
                )[...]
            )
        }
        let message = Message(
            id: MessageID(first),
            app: app.id,
            acceptedAt: date,
            environment: .production,
            timeToLive: 60
        )
        return PreparedPush(MessageBatch(kind: .alias, entries: entries), in: message, .send)
    }

    private static func accept(
        _ batches: PreparedPush...,
        in store: any PushStore,
        since: Date = after(-86_400)
    ) async throws -> [[PushResult?]] {
        try await store.store(batches, cidsSince: since).map(\.batched)
    }

    private static func single(_ id: Int64, of app: App, cid: String, at date: Date = start) -> PreparedPush {
        var message = message(id, of: app, at: date, cid: cid)
        message.sendno = 9
        return PreparedPush(message: message, chunks: [], isPaced: false)
    }

    static let batches = [
        Clause("A batch is leased as one chunk, with all that its pushes say") { open, store, app in
            let batch = batch(10, to: [3, 7, 70_000], of: app)
            #expect(try await accept(batch, in: store) == [[nil, nil, nil]])
            let lease = try #require(try await open().lease(at: start, besides: [], devices: 500))
            let item = try #require(lease.items.first)
            #expect(lease.items.count == 1)
            #expect(item.message == batch.message)
            #expect(item.message.id.number == 10)
            #expect(item.chunk.ordinals.ordinals == [3, 7, 70_000])
            #expect(item.chunk.dueAt == start)
            #expect(try await store.lease(at: start) == nil)
            try await store.releaseLeases()
            #expect(try await store.lease(at: start)?.0 == batch.message)
        },
        Clause("A message of a batch is known by its id, as it would be alone, and no id beside") { _, store, app in
            let other = try await Self.app("b", in: store)
            _ = try await accept(batch(10, to: [3, 7], of: app), batch(12, to: [4, 5], of: app), in: store)
            for (id, isKnown) in [(9, false), (10, true), (11, true), (12, true), (13, true), (14, false)] {
                let id = MessageID(Int64(id))
                #expect(try await store.knowsMessage(id, app: app.id, since: start) == isKnown, "\(id)")
                #expect(try await store.knowsMessage(id, app: other.id, since: start) == false)
                #expect(try await store.knowsMessage(id, app: app.id, since: after(1)) == false)
                #expect((try await store.counts(of: [id], app: app.id)[id] != nil) == isKnown, "\(id)")
            }
            let facts = try #require(try await store.journey(of: MessageID(11), to: 7))
            #expect(facts.message.id.number == 11)
            #expect(facts.message.cid == "c7")
            #expect(facts.message.sendno == 0)
            #expect(facts.message.batch == nil)
            let body = "{\"platform\":\"all\",\"audience\":{\"alias\":[\"d7\"]},\"notification\":{\"alert\":\"é\"}}"
            #expect(String(decoding: facts.message.body, as: UTF8.self) == body)
            let chunk = try #require(facts.chunk)
            #expect(chunk.ordinals.ordinals == [7])
            #expect(chunk.id == Chunk.ID(message: MessageID(11), number: 0))
            #expect(!chunk.isDone)
            // The other push's device is not this one's.
            let stranger = try #require(try await store.journey(of: MessageID(11), to: 3))
            #expect(stranger.chunk == nil)
        },
        Clause("What became of each push of a batch is its own") { open, store, app in
            _ = try await accept(batch(10, to: [3, 7, 8], of: app), in: store)
            var (_, chunk) = try #require(try await store.lease(at: start))
            chunk.sent.insert(0)
            chunk.settled.insert(1)
            chunk.cursor = 3
            chunk.isDone = true
            chunk.updatedAt = after(2)
            let event = JourneyEvent(date: after(1), station: .service, kind: .refused(.badDeviceToken))
            let refusal = JourneyEntry(message: MessageID(11), ordinal: 7, event: event)
            let checkpoint = try await store.checkpoint(
                chunk,
                releases: true,
                deviceEvents: [refusal],
                refusedTokens: []
            )
            #expect(checkpoint.settled == chunk.settled)
            #expect(!checkpoint.isWithdrawn)
            let opened = JourneyEvent(date: after(5), station: .device, kind: .opened)
            try await store.record([
                JourneyEntry(message: MessageID(10), ordinal: 3, event: opened),
                // That device has another push.
                JourneyEntry(message: MessageID(12), ordinal: 3, event: opened),
            ])
            let ids = (10...12).map { MessageID($0) }
            let counts = try await open().counts(of: ids, app: app.id)
            #expect(counts.values.allSatisfy { $0.target == 1 })
            #expect(ids.map { counts[$0]?.sent } == [1, 0, 0])
            #expect(ids.map { counts[$0]?.received } == [1, 0, 0])
            #expect(ids.map { counts[$0]?.clicked } == [1, 0, 0])
            #expect(try await store.receipts(of: ids[0], app: app.id, to: [3, 7]) == [3: [.received, .clicked]])
            #expect(try await store.receipts(of: ids[1], app: app.id, to: [3, 7]) == [7: []])
            let refused = try #require(try await store.journey(of: ids[1], to: 7))
            #expect(refused.events == [event])
            #expect(refused.chunk?.settled.contains(0) == true)
            let sent = try #require(try await store.journey(of: ids[0], to: 3))
            #expect(sent.chunk?.sent.contains(0) == true)
            #expect(sent.chunk?.isDone == true)
            #expect(sent.events == [opened])
        },
        Clause("A cid of a batch counts once, among batches and single pushes, for its time") { open in
            var store = try open()
            let app = try await Self.app("a", in: store)
            let other = try await Self.app("b", in: store)
            _ = try await accept(batch(10, to: [3, 7], of: app), in: store)
            #expect(try await store.accept([single(20, of: app, cid: "c5")], cidsSince: start) == [nil])
            for _ in 0..<2 {
                let known = PushResult(messageID: MessageID(11), sendno: 0)
                #expect(try await store.result(ofCID: "c7", app: app.id, since: start) == known)
                #expect(try await store.result(ofCID: "c7", app: other.id, since: start) == nil)
                #expect(try await store.result(ofCID: "c7", app: app.id, since: after(1)) == nil)
                #expect(try await store.result(ofCID: "c9", app: app.id, since: start) == nil)
                #expect(try await store.accept([single(21, of: app, cid: "c7")], cidsSince: start) == [known])
                // Only what is new is kept: c5 was a single push's.
                let again = try await accept(batch(30, to: [3, 5, 7], of: app), in: store, since: start)
                #expect(
                    again == [
                        [
                            PushResult(messageID: MessageID(10), sendno: .max),
                            PushResult(messageID: MessageID(20), sendno: 9), known,
                        ]
                    ]
                )
                #expect(try await store.knowsMessage(MessageID(30), app: app.id, since: start) == false)
                // And by whoever opens the store again.
                store = try open()
            }
            let mixed = try await accept(batch(40, to: [2, 3, 4, 7, 8], of: app), in: store, since: start)
            #expect(mixed[0].map { $0?.messageID.number } == [nil, 10, nil, 11, nil])
            for (id, isKnown) in [(40, true), (41, false), (42, true), (43, false), (44, true)] {
                let id = MessageID(Int64(id))
                #expect(try await store.knowsMessage(id, app: app.id, since: start) == isKnown, "\(id)")
            }
            #expect(try await store.journey(of: MessageID(44), to: 8)?.message.cid == "c8")
            // A day later they are free.
            let late = batch(50, to: [3, 7], of: app, at: after(90_000))
            #expect(try await accept(late, in: store, since: after(3600)) == [[nil, nil]])
            #expect(
                try await store.accept([single(60, of: app, cid: "c5", at: after(90_000))], cidsSince: after(3600)) == [
                    nil
                ]
            )
            let newer = PushResult(messageID: MessageID(51), sendno: 0)
            #expect(try await store.result(ofCID: "c7", app: app.id, since: after(3600)) == newer)
        },
        Clause(
            "One push of a batch is withdrawn, before it is taken up and under way; the others go on"
        ) { open, store, app in
            _ = try await accept(batch(10, to: [3, 7, 8], of: app), in: store)
            let ended = try #require(try await store.withdraw(MessageID(10), of: app.id, since: start, at: after(1)))
            #expect(ended.map(\.id.message.number) == [10])
            #expect(ended.first?.rest == [3])
            #expect(try await store.withdraw(MessageID(10), of: app.id, since: start, at: after(2)) == [])
            var (message, chunk) = try #require(try await store.lease(at: start))
            #expect(message.batch?.entries.count == 3)
            #expect(chunk.rest == [7, 8])
            #expect(try await store.withdraw(MessageID(12), of: app.id, since: start, at: after(3)) == [])
            chunk.sent.insert(1)
            chunk.updatedAt = after(4)
            let checkpoint = try await store.checkpoint(chunk, releases: true, deviceEvents: [], refusedTokens: [])
            #expect(checkpoint.settled.contains(0))
            #expect(checkpoint.settled.contains(2))
            #expect(try await open().lease(at: after(5))?.1.rest == [])
            let facts = try #require(try await store.journey(of: MessageID(12), to: 8))
            #expect(facts.events.map(\.kind) == [.withdrawn])
            #expect(facts.chunk?.isDone == true)
            let sent = try #require(try await store.journey(of: MessageID(11), to: 7))
            #expect(sent.events == [])
        },
        Clause(
            "A batch goes as a whole when its time is over, with all that was reported of its pushes"
        ) { open, store, app in
            _ = try await accept(batch(10, to: [3, 7], of: app), in: store)
            _ = try await store.accept([single(12, of: app, cid: "x")], cidsSince: start)
            #expect(try await store.agingMessages(after: MessageID(0), limit: 9).map(\.endedAt) == [nil, start])
            var (_, chunk) = try #require(try await store.lease(at: start))
            chunk.cursor = 2
            chunk.isDone = true
            chunk.updatedAt = after(2)
            _ = try await store.checkpoint(chunk, releases: true, deviceEvents: [], refusedTokens: [])
            let event = JourneyEvent(date: after(50), station: .device, kind: .delivered)
            try await store.record([JourneyEntry(message: MessageID(11), ordinal: 7, event: event)])
            let aging = try await store.agingMessages(after: MessageID(0), limit: 9)
            #expect(aging.map(\.ids) == [[MessageID(10), MessageID(11)], [MessageID(12)]])
            #expect(aging.first?.endedAt == after(50))
            try await store.markDeleted(aging[0].ids, of: app.id, Deletion(days: 31), at: after(60))
            #expect(try await store.journey(of: MessageID(11), to: 7) == nil)
            var calls = 0
            while try await !store.deleteMessage(MessageID(10), rows: 1) { calls += 1 }
            #expect(calls > 0)
            #expect(try await open().agingMessages(after: MessageID(0), limit: 9).map(\.id.number) == [12])
            #expect(try await store.result(ofCID: "c7", app: app.id, since: start) == nil)
            #expect(try await store.deletion(of: MessageID(11), app: app.id) == Deletion(days: 31))
            #expect(try await store.knowsMessage(MessageID(12), app: app.id, since: start))
        },
        Clause("A batch that fails to be kept leaves nothing behind, and its cids free") { _, store, app in
            _ = try await accept(batch(10, to: [3], of: app), in: store)
            await #expect(throws: (any Error).self) {
                // The second one's id is taken.
                _ = try await accept(batch(5, to: [4], of: app), batch(10, to: [7], of: app), in: store)
            }
            for cid in ["c4", "c7"] { #expect(try await store.result(ofCID: cid, app: app.id, since: start) == nil) }
            #expect(try await accept(batch(20, to: [4, 7], of: app), in: store) == [[nil, nil]])
        },
    ]
}
