import Foundation
import PushModel
import PushService
import Testing

extension PushStoreContract {
    private static func devices(_ count: Int, of app: App, in store: any PushStore) async throws -> [DeviceID] {
        var devices: [DeviceID] = []
        for number in 0..<count { devices.append(try await device("\(number)", of: app, in: store).id) }
        return devices
    }

    /// A push whose custom message is for these devices, a chunk each list; its notification for those of `notified`.
    private static func accept(
        _ id: Int64,
        _ audience: [[DeviceOrdinal]],
        notified: [DeviceOrdinal] = [],
        of app: App,
        timeToLive: Int64 = 60,
        in store: any PushStore
    ) async throws {
        let body = Array("body \(id)".utf8)
        let message = message(id, of: app.id, body: body, timeToLive: timeToLive)
        let roads = (notified.isEmpty ? [] : [(Chunk.Kind.send, notified)]) + audience.map { (.message, $0) }
        let chunks = roads.enumerated().map { chunk(message, $0, $1.1, kind: $1.0) }
        _ = try await store.accept(
            [PreparedPush(message: message, chunks: chunks, isPaced: false)],
            cidsSince: .distantPast
        )
    }

    /// The ids of what waits for a device, and of what it says to have.
    private static func waiting(
        _ device: DeviceID,
        settled: Int64 = 0,
        kept: Int64? = nil,
        at seconds: TimeInterval = 0,
        in store: any PushStore
    ) async throws -> [[Int64]] {
        let found = try await store.waitingMessages(
            of: device,
            acknowledgedThrough: settled,
            keptThrough: kept,
            limit: 2,
            at: after(seconds)
        )
        #expect(found.messages.allSatisfy { $0.body == Array("body \($0.message.number)".utf8) })
        return [found.messages.map(\.message.number), found.kept.map(\.number).sorted()]
    }

    static let link: [Clause] = [
        Clause("Custom messages have rising positions, also after the newest was deleted, and after a restart") {
            open in
            var store = try open()
            let app = try await app(in: store)
            var positions = [try await store.lastCustomMessage()]
            #expect(positions == [0])
            for id: Int64 in 1...3 { try await accept(id, [[0]], of: app, timeToLive: id == 3 ? 0 : 60, in: store) }
            positions = try await store.customMessages(after: 0, limit: 10, audiencesOf: []).map(\.position)
            #expect(positions == positions.sorted())
            #expect(Set(positions).count == 3)
            let over = try await store.deleteCustomMessages(expiredBefore: after(1), limit: 10)
            #expect(!over)
            store = try open()
            let last = try await store.lastCustomMessage()
            #expect(last == positions[2])
            try await accept(4, [[0]], of: app, in: store)
            let next = try await store.customMessages(after: last, limit: 10, audiencesOf: [])
            #expect(next.map(\.message) == [MessageID(4)])
        },
        Clause("Positions that are left out are given to no message, also after a restart, and never go back") { open in
            var store = try open()
            let app = try await app(in: store)
            try await store.leaveOutPositions(through: 1000)
            var last = try await store.lastCustomMessage()
            #expect(last == 1000)
            store = try open()
            try await accept(1, [[0]], of: app, in: store)
            try await store.leaveOutPositions(through: 900)
            try await accept(2, [[0]], of: app, in: store)
            try await store.leaveOutPositions(through: 5000)
            try await accept(3, [[0]], of: app, in: store)
            let positions = try await store.customMessages(after: 0, limit: 10, audiencesOf: []).map(\.position)
            #expect(positions == positions.sorted())
            #expect(positions.first ?? 0 > 1000 && positions.last ?? 0 > 5000)
            last = try await store.lastCustomMessage()
            #expect(last == positions.last)
        },
        Clause("The log tells audiences of the apps that are asked for, and as many messages as are wanted") { open in
            let store = try open()
            let one = try await app(in: store)
            let other = try await app("b", in: store)
            try await accept(1, [[0, 2], [5]], of: one, in: store)
            try await accept(2, [[1]], of: other, in: store)
            try await accept(3, [[1]], of: one, in: store)
            let found = try await store.customMessages(after: 0, limit: 2, audiencesOf: [one.id])
            #expect(found.map(\.message.number) == [1, 2])
            #expect(found.map { $0.audience.map(\.ordinals) } == [[[0, 2], [5]], []])
            #expect(found.map(\.app) == [one.id, other.id])
        },
        Clause("Custom messages of a batch have one position, and each device finds its own there") { open in
            var store = try open()
            let app = try await app(in: store)
            let devices = try await devices(4, of: app, in: store)
            let entries = [0, 1, 3].map { (place: Int) in
                MessageBatch.Entry(
                    id: MessageID(Int64(10 + place)),
                    ordinal: devices[place].ordinal,
                    cid: "c\(place)",
                    sendno: 0,
                    text: Array(
                        #"{"platform":"all","target":"d\#(place)","message":{"msg_content":"\#(place)"}}"#.utf8
                    )[...]
                )
            }
            let batch = MessageBatch(kind: .alias, entries: entries)
            let message = Message(
                id: MessageID(10),
                app: app.id,
                acceptedAt: start,
                environment: .production,
                timeToLive: 60
            )
            let push = PreparedPush(batch, in: message, .message)
            let position = try await store.store([push], cidsSince: .distantPast)[0].position
            try await accept(1, [[0]], of: app, in: store)
            store = try open()
            let records = try await store.customMessages(after: 0, limit: 9, audiencesOf: [app.id])
            #expect(records.map(\.position) == [position, (position ?? 0) + 1])
            #expect(records.first?.batch == batch)
            #expect(records.first?.logged == MessageID(10))
            var leased = try await store.lease(at: start)?.1
            #expect(leased == nil, "No lane takes it up.")
            let withdrawn = try await store.withdraw(MessageID(11), of: app.id, since: start, at: after(1))
            #expect(withdrawn == [])
            leased = try await store.lease(at: start)?.1
            #expect(leased == nil)
            let left = try await store.customMessages(after: 0, limit: 1, audiencesOf: [app.id])
            #expect(left.first?.batch?.entries == [entries[0], entries[2]])
            var found: [[Int64]] = []
            for device in devices {
                let waiting = try await store.waitingMessages(
                    of: device,
                    acknowledgedThrough: 0,
                    keptThrough: nil,
                    limit: 5,
                    at: start
                )
                found.append(waiting.messages.map(\.message.number))
            }
            #expect(found == [[10, 1], [], [], [13]])
            var said = Acknowledgements()
            said.add(devices[3], through: records[0].position, delivered: [MessageID(10)])
            try await store.record(said, at: after(2))
            let ids = [MessageID(10), MessageID(11), MessageID(13)]
            let counts = try await store.counts(of: ids, app: app.id)
            #expect(ids.map { counts[$0]?.custom.target } == [1, 1, 1])
            #expect(ids.map { counts[$0]?.custom.received } == [0, 0, 1])
            let facts = try await store.journey(of: MessageID(13), to: 3)
            #expect(facts?.custom?.receipts == .received)
            #expect(facts?.custom?.cursor == records[0].position)
        },
        Clause("A device finds the newest of what is for it, has not been had, and is not over") { _, store, app in
            let devices = try await devices(3, of: app, in: store)
            try await accept(1, [[0, 1]], of: app, in: store)
            try await accept(2, [[0]], of: app, in: store)
            try await accept(3, [[1]], of: app, in: store)
            try await accept(4, [[0], [2]], of: app, timeToLive: 10, in: store)
            let all = [
                try await waiting(devices[0], in: store), try await waiting(devices[1], in: store),
                try await waiting(devices[2], in: store), try await waiting(devices[0], at: 10, in: store),
                try await waiting(devices[0], at: 60, in: store),
            ]
            #expect(all == [[[2, 4], []], [[1, 3], []], [[4], []], [[1, 2], []], [[], []]])
            let positions = try await store.customMessages(after: 0, limit: 9, audiencesOf: []).map(\.position)
            let later = [
                try await waiting(devices[0], kept: positions[1], in: store),
                try await waiting(devices[0], settled: positions[1], in: store),
                try await waiting(devices[0], kept: .max, in: store),
            ]
            #expect(later == [[[4], [1, 2]], [[4], []], [[], [1, 2, 4]]])
        },
        Clause("What a link had no room for is found behind a position, the oldest first") { _, store, app in
            let devices = try await devices(2, of: app, in: store)
            try await accept(1, [[0, 1]], of: app, in: store)
            try await accept(2, [[0]], of: app, in: store)
            try await accept(3, [[1]], of: app, in: store)
            try await accept(4, [[0], [1]], of: app, timeToLive: 10, in: store)
            try await accept(5, [[0]], of: app, in: store)
            let positions = try await store.customMessages(after: 0, limit: 9, audiencesOf: []).map(\.position)
            func held(_ position: Int64, _ limit: Int, at seconds: TimeInterval = 1) async throws -> HeldMessages {
                try await store.heldMessages(of: devices[0], after: position, limit: limit, at: after(seconds))
            }
            let two = try await held(0, 2)
            #expect(two.messages.map(\.message.number) == [1, 2])
            #expect(two.messages.map(\.position) == Array(positions[0...1]))
            #expect(two.messages.allSatisfy { $0.body == Array("body \($0.message.number)".utf8) })
            #expect((two.through, two.isAll) == (positions[1], false))
            let rest = try await held(two.through, 3)
            #expect(rest.messages.map(\.message.number) == [4, 5])
            #expect((rest.through, rest.isAll) == (positions[4], true))
            let later = try await held(two.through, 3, at: 10)
            #expect(later.messages.map(\.message.number) == [5])
            let none = try await held(positions[4], 3)
            #expect(none == HeldMessages(messages: [], through: positions[4], isAll: true))
        },
        Clause("What a device acknowledged is settled for good, and counts as received; a cursor never goes back") {
            open in
            var store = try open()
            let app = try await app(in: store)
            let devices = try await devices(2, of: app, in: store)
            try await accept(1, [[0, 1]], notified: [0], of: app, in: store)
            try await accept(2, [[0, 1]], of: app, in: store)
            let positions = try await store.customMessages(after: 0, limit: 9, audiencesOf: []).map(\.position)
            var said = Acknowledgements()
            said.add(devices[0], through: positions[0], delivered: [MessageID(1)])
            said.add(DeviceID(app: app.id, ordinal: 9), through: positions[0], delivered: [])
            try await store.record(said, at: after(1))
            var older = Acknowledgements()
            older.add(devices[0], through: 0, delivered: [])
            try await store.record(older, at: after(2))
            store = try open()
            let waits = try await waiting(devices[0], in: store)
            #expect(waits == [[2], []])
            let counts = try await store.counts(of: [MessageID(1)], app: app.id)[MessageID(1)]
            #expect(counts?.custom.target == 2)
            #expect(counts?.custom.received == 1)
            #expect(counts?.received == 0)
            let facts = try await store.journey(of: MessageID(1), to: 0)
            #expect(facts?.chunk?.kind == .send)
            #expect(facts?.custom?.receipts == .received)
            #expect(facts?.custom?.cursor == positions[0])
            _ = try await store.deleteDevices([0], of: app.id, unseenSince: .distantFuture, Deletion(days: 1))
            let gone = try await store.journey(of: MessageID(2), to: 0)
            #expect(gone?.custom?.cursor == 0)
        },
        Clause(
            "Topics are declined and counted for each device; a push counts once, and a deleted device leaves nothing"
        ) { open, store, app in
            let devices = try await devices(3, of: app, in: store)
            let topics = [PushTopic(name: "news"), PushTopic(name: "offers", cap: 2, exemptsImmediate: true)]
            try await store.setTopics(topics, of: app.id)
            #expect(try await open().topics(of: app.id) == topics)
            try await store.setDeclinedTopics(["offers", "zoo"], of: devices[0], at: start)
            #expect(try await store.declinedTopics(of: devices[0]) == ["offers", "zoo"])
            func held(
                _ message: Int64,
                _ topic: String = "offers",
                isImmediate: Bool = false,
                isRetry: Bool = false,
                at time: Int64 = 0
            ) async throws -> [DeviceOrdinal: SuppressionReason] {
                let times = [devices[0].ordinal: time, devices[1].ordinal: time, devices[2].ordinal: time - 86_400]
                return try await store.restrain(
                    TopicPush(
                        app: app.id,
                        topic: topic,
                        message: MessageID(message),
                        isImmediate: isImmediate,
                        isRetry: isRetry,
                        times: times
                    )
                )
            }
            let declined = [devices[0].ordinal: SuppressionReason.topicDeclined]
            let day: Int64 = 86_400 * 20_000
            for message: Int64 in [1, 1, 2] { #expect(try await held(message, at: day) == declined) }
            let capped = declined.merging([devices[1].ordinal: .topicCapped, devices[2].ordinal: .topicCapped]) { $1 }
            #expect(try await held(3, at: day) == capped)
            #expect(try await held(3, isRetry: true, at: day) == declined)
            #expect(try await held(4, isImmediate: true, at: day) == declined)
            #expect(try await held(5, "news", at: day).isEmpty)
            // The next day of each; to the west it is the same day again.
            #expect(try await held(6, at: day + 86_400) == declined)
            #expect(try await held(7, at: day) == declined)
            #expect(try await held(8, at: day) == capped)
            try await store.setDeclinedTopics([], of: devices[0], at: start)
            #expect(try await held(9, at: day)[devices[0].ordinal] == nil)
            try await store.setDeclinedTopics(["zoo"], of: devices[0], at: start)
            _ = try await store.deleteDevices([0], of: app.id, unseenSince: .distantFuture, Deletion(days: 1))
            #expect(try await store.declinedTopics(of: devices[0]).isEmpty)
            try await store.setDeclinedTopics(["zoo"], of: devices[0], at: start)
            #expect(try await store.declinedTopics(of: devices[0]).isEmpty)
        },
        Clause(
            "What a cap has counted is taken back from devices that do not get the push, and only once"
        ) { open, store, app in
            let devices = try await devices(2, of: app, in: store).map(\.ordinal)
            try await store.setTopics([PushTopic(name: "offers", cap: 2, exemptsImmediate: true)], of: app.id)
            let day: Int64 = 86_400 * 20_000
            func push(_ message: Int64, isCopy: Bool = false, isImmediate: Bool = false, at time: Int64) -> TopicPush {
                TopicPush(
                    app: app.id,
                    topic: "offers",
                    message: MessageID(message),
                    isImmediate: isImmediate,
                    isCopy: isCopy,
                    times: [devices[0]: time, devices[1]: time]
                )
            }
            func isCapped(_ message: Int64, isCopy: Bool = false, at time: Int64 = day) async throws -> Bool {
                try await store.restrain(push(message, isCopy: isCopy, at: time))[devices[0]] == .topicCapped
            }
            for message: Int64 in [1, 2] { #expect(try await !isCapped(message)) }
            #expect(try await isCapped(3))
            // A copy counts nothing, and one of a push that was counted is not held.
            #expect(try await isCapped(4, isCopy: true))
            #expect(try await !isCapped(1, isCopy: true))
            // Not the last one, in its period; then in another period, where it is not known whether it was counted.
            try await store.release(push(1, at: day))
            try await store.release(push(1, at: day - 86_400))
            try await store.release(push(9, isImmediate: true, at: day))
            #expect(try await !isCapped(5))
            #expect(try await open().restrain(push(6, at: day))[devices[0]] == .topicCapped)
            // The last one, whenever.
            for _ in 0..<2 { try await store.release(push(5, at: .min)) }
            #expect(try await !isCapped(7, isCopy: true))
            #expect(try await !isCapped(7))
            #expect(try await isCapped(8))
        },
        Clause("What a device acknowledged alone counts once, beside what it reported before") { _, store, app in
            let devices = try await devices(3, of: app, in: store)
            try await accept(1, [[2]], of: app, in: store)
            try await accept(2, [[0], [2]], of: app, in: store)
            try await store.record([MessageID(2): .clicked], inApp: [:], of: devices[2], at: after(1))
            for seconds: TimeInterval in [2, 3] {
                var said = Acknowledgements()
                said.add(devices[2], through: 2, delivered: [MessageID(1), MessageID(2)])
                try await store.record(said, at: after(seconds))
            }
            // It was not for this one.
            var foreign = Acknowledgements()
            foreign.add(devices[1], through: 2, delivered: [MessageID(1)])
            try await store.record(foreign, at: after(4))
            let counts = try await store.counts(of: [MessageID(1), MessageID(2)], app: app.id)
            #expect([1, 2].map { counts[MessageID($0)]?.custom.received } == [1, 1])
            #expect([1, 2].map { counts[MessageID($0)]?.custom.clicked } == [0, 1])
            let facts = try await store.journey(of: MessageID(1), to: 2)
            #expect(facts?.custom?.receipts == .received)
            #expect(facts?.custom?.receiptsAt == after(2))
        },
        Clause(
            "Receipts count for the notification, for the message where that is all, and not for others"
        ) { _, store, app in
            let other = try await Self.app("b", in: store)
            let devices = try await devices(2, of: app, in: store)
            try await accept(1, [[0, 1]], notified: [0], of: app, in: store)
            for _ in 0..<2 {
                try await store.record([MessageID(1): [.received, .clicked]], inApp: [:], of: devices[0], at: after(1))
                try await store.record(
                    [MessageID(1): .received, MessageID(7): .received],
                    inApp: [:],
                    of: devices[1],
                    at: after(1)
                )
            }
            try await store.record(
                [MessageID(1): .displayed],
                inApp: [:],
                of: DeviceID(app: other.id, ordinal: 0),
                at: after(1)
            )
            let counts = try #require(try await store.counts(of: [MessageID(1)], app: app.id)[MessageID(1)])
            #expect((counts.received, counts.displayed, counts.clicked) == (1, 0, 1))
            #expect((counts.custom.received, counts.custom.displayed, counts.custom.clicked) == (1, 0, 0))
        },
        Clause("Channel tokens are replaced by channel and name, bounded, and taken away") { open in
            var store = try open()
            let app = try await app(in: store)
            let device = try await devices(1, of: app, in: store)[0]
            func keep(
                _ channel: ChannelToken.Channel,
                _ name: String,
                _ byte: UInt8,
                _ seconds: TimeInterval
            ) async throws {
                let token = ChannelToken(
                    channel: channel,
                    name: name,
                    token: DeviceToken(bytes: [byte]),
                    environment: .production
                )
                try await store.setChannelToken(token, of: device, limit: 2, at: after(seconds))
            }
            try await keep(.voip, "", 1, 0)
            try await keep(.voip, "", 2, 1)
            for (number, name) in ["a", "b", "c"].enumerated() {
                try await keep(.activity, name, 9, TimeInterval(number))
            }
            store = try open()
            var tokens = try await store.channelTokens(of: device)
            #expect(tokens.map(\.name) == ["b", "c", ""])
            #expect(tokens.last?.token == DeviceToken(bytes: [2]))
            try await store.removeChannelToken(.activity, name: "b", of: device)
            tokens = try await store.channelTokens(of: device)
            #expect(tokens.map(\.name) == ["c", ""])
        },
    ]
}
