import Foundation
import PushModel
import PushService
import Testing

extension PushStoreContract {
    fileprivate static func newApp(in store: any PushStore) async throws -> App.ID {
        try await store.createApp(
            name: "com.example.app",
            bundleID: "com.example.app",
            defaultEnvironment: .production,
            at: start
        ).app.id
    }

    /// Takes a push to devices without a token, which is an event of each at once.
    fileprivate static func accept(
        _ id: Int64,
        of app: App.ID,
        to url: String = "https://example.com/hook",
        devices: Int = 1,
        isStreamed: Bool = false,
        in store: any PushStore
    ) async throws {
        let message = message(id, of: app)
        let chunk = chunk(message, 0, (0..<devices).map { DeviceOrdinal($0) }, kind: .withoutToken)
        var push = PreparedPush(message: message, chunks: [chunk], isPaced: false)
        if !url.isEmpty {
            push.callback = PushCallback(url: url, params: ["order": .integer(id)], kinds: .notDelivered)
        }
        push.isStreamed = isStreamed
        _ = try await store.accept([push], cidsSince: start)
    }

    /// Counts all new events.
    ///
    /// - Returns: the number of lost ones by app.
    fileprivate static func count(
        in store: any PushStore,
        at now: Date = start,
        limit: Int = 1000,
        rows: Int = 3
    ) async throws -> [App.ID: Int] {
        var lost: [App.ID: Int] = [:]
        while true {
            let step = try await store.countCallbacks(at: now, limit: limit, rows: rows)
            lost.merge(step.lost) { $0 + $1 }
            if !step.hasMore { return lost }
        }
    }

    fileprivate static let limits = CallbackLimits(receivers: 10, ofApp: 3, rows: 100, events: 500)

    fileprivate static func take(
        in store: any PushStore,
        at now: Date = start,
        _ limits: CallbackLimits = limits
    ) async throws -> [CallbackLot] {
        try await store.takeCallbacks(at: now, limits, until: now.addingTimeInterval(120))
    }

    fileprivate static func end(
        _ lot: CallbackLot,
        delivered: [CallbackBatch] = [],
        failed: [CallbackBatch] = [],
        retry: TimeInterval = 10,
        at now: Date = start,
        in store: any PushStore
    ) async throws -> Int {
        var outcome = CallbackOutcome()
        outcome.delivered = delivered
        outcome.failed = failed.map { .init($0, "It answered 503.", retry: now.addingTimeInterval(retry)) }
        return try await store.endCallbacks(lot, outcome, at: now, limit: 3)
    }

    /// Reads all events of an app after a position, a few rows at a time: each as its kind, push and number of devices.
    fileprivate static func events(
        of app: App.ID,
        after position: Int64 = 0,
        in store: any PushStore
    ) async throws -> [String] {
        var said = [String]()
        var last = position
        while true {
            let page = try await store.events(of: app, after: last, limit: 2)
            for row in page.rows {
                #expect(row.position == last + 1)
                last = row.position
                said.append("\(row.kind) \(row.message?.description ?? "-") \(row.ordinals.count)")
            }
            if page.rows.isEmpty { return said }
        }
    }

    static let callbacks = [
        Clause(
            "Events of an app have positions without gaps; those of another app, and of pushes without a stream, are not among them"
        ) {
            open in
            let store = try open()
            let first = try await newApp(in: store)
            let second = try await newApp(in: store)
            try await accept(1, of: first, to: "", devices: 501, isStreamed: true, in: store)
            try await accept(2, of: second, to: "", isStreamed: true, in: store)
            try await accept(3, of: first, in: store)
            let expected = ["accepted 1 0", "refused 1 500", "refused 1 1"]
            #expect(try await events(of: first, in: store) == expected)
            #expect(try await store.callbackState(of: MessageID(1)) == nil)
            #expect(try await store.waitingCallbacks() == [first: 1])
            // With a callback beside it, both are told.
            try await accept(4, of: first, isStreamed: true, in: store)
            #expect(try await store.waitingCallbacks() == [first: 2])
            #expect(try await events(of: first, after: 3, in: try open()) == ["accepted 4 0", "refused 4 1"])
            #expect(try await events(of: first, in: store).count == 5)
            #expect(try await events(of: second, in: store) == ["accepted 2 0", "refused 2 1"])
            // The pushes may go before their events.
            _ = try await store.deleteMessage(MessageID(1), rows: 100)
            #expect(try await events(of: first, in: store).count == 5)
            #expect(try await store.deleteEvents(before: after(1), limit: 4))
            #expect(try await !store.deleteEvents(before: after(1), limit: 100))
            try await accept(5, of: first, to: "", isStreamed: true, in: store)
            let page = try await store.events(of: first, after: 5, limit: 10)
            #expect(page.oldest == 6 && page.rows.map(\.position) == [6, 7])
        },
        Clause("Callback events are counted for each app; beyond an app's limit its own are lost, and no other's") {
            open in
            let store = try open()
            let first = try await newApp(in: store)
            let second = try await newApp(in: store)
            // Rows have up to 500 events: 3 of the first, then 3 of the second and 3 more of the first.
            try await accept(1, of: first, devices: 1500, in: store)
            try await accept(2, of: second, devices: 1500, in: store)
            try await accept(3, of: first, devices: 1001, in: store)
            #expect(try await store.waitingCallbacks() == [first: 6, second: 3])
            #expect(try await count(in: store, limit: 4) == [first: 501])
            #expect(try await open().waitingCallbacks() == [first: 4, second: 3])
            let state = try #require(try await store.callbackState(of: MessageID(3)))
            #expect((state.waiting, state.lost, state.problem) == (500, 501, CallbackCount.problem))
            #expect(try await store.callbackState(of: MessageID(1))?.lost == 0)
            #expect(try await store.callbackState(of: MessageID(2))?.waiting == 1500)
            // There is room again when something was delivered.
            let lot = try #require(try await take(in: store).first { $0.app == first })
            #expect(try await end(lot, delivered: lot.batches, in: store) == 0)
            // A request has 500 events of a push.
            #expect(try await store.waitingCallbacks() == [first: 2, second: 3])
            try await accept(4, of: first, devices: 1500, in: store)
            #expect(try await count(in: store, limit: 4) == [first: 500])
        },
        Clause("Receivers are taken in turn, of each app a few, and not again before they are given back") { open in
            let store = try open()
            let many = try await newApp(in: store)
            let one = try await newApp(in: store)
            for id: Int64 in 1...6 { try await accept(id, of: many, to: "https://\(id).example.com/", in: store) }
            try await accept(7, of: one, to: "https://1.example.com/", in: store)
            #expect(try await take(in: store).isEmpty, "Nothing is counted yet.")
            _ = try await count(in: store)
            #expect(try await store.nextCallbackDue(besides: []) == start)
            var limits = limits
            var lots = try await take(in: store, limits)
            #expect(lots.map(\.app).sorted() == [many, many, many, one])
            for lot in lots { limits.begin(lot) }
            #expect(limits.full == [many] && limits.receivers == 6)
            #expect(try await take(in: store, limits).isEmpty)
            #expect(try await store.nextCallbackDue(besides: limits.full) == after(120))
            // With one place each app has its turn.
            limits = CallbackLimits(receivers: 1, ofApp: 3, rows: 100, events: 500)
            let next = try #require(try await take(in: store, limits).first)
            #expect(next.app == many && !lots.map(\.receiver).contains(next.receiver))
            lots.append(next)
            for lot in lots { _ = try await end(lot, delivered: lot.batches, in: store) }
            #expect(try await take(in: store).count == 2)
            // A crash repeats what was taken.
            #expect(try await take(in: open(), at: after(119)).isEmpty)
            #expect(try await take(in: open(), at: after(120)).count == 2)
            #expect(try await store.waitingCallbacks() == [many: 2])
        },
        Clause("A receiver is due only while events wait for it") { open in
            let store = try open()
            let app = try await newApp(in: store)
            for id: Int64 in 1...3 { try await accept(id, of: app, in: store) }
            _ = try await count(in: store)
            let lot = try #require(try await take(in: store).first)
            #expect(lot.batches.map(\.message.number) == [1, 2, 3])
            #expect(lot.batches.map { $0.callback.params["order"] } == [1, 2, 3])
            // What is not named waits as before, behind receivers that are due earlier.
            _ = try await end(lot, delivered: [lot.batches[0]], at: after(2), in: store)
            #expect(try await store.nextCallbackDue(besides: []) == after(2))
            let rest = try #require(try await take(in: store, at: after(2)).first)
            #expect(rest.batches.map(\.message.number) == [2, 3])
            // New events of a receiver that is taken do not make it due.
            try await accept(4, of: app, in: store)
            _ = try await count(in: store, at: after(2))
            #expect(try await store.nextCallbackDue(besides: []) == after(122))
            _ = try await end(rest, delivered: rest.batches, at: after(3), in: store)
            let last = try #require(try await take(in: store, at: after(3)).first)
            #expect(last.batches.map(\.message.number) == [4])
            _ = try await end(last, delivered: last.batches, at: after(3), in: store)
            #expect(try await store.nextCallbackDue(besides: []) == nil)
            #expect(try await store.waitingCallbacks().isEmpty)
        },
        Clause("A receiver that takes nothing is paused, and what waits for it counts the failure") { open in
            let store = try open()
            let app = try await newApp(in: store)
            for id: Int64 in 1...4 { try await accept(id, of: app, in: store) }
            _ = try await count(in: store)
            for round in 0..<3 {
                let now = after(TimeInterval(round * 10))
                let lot = try #require(try await take(in: store, at: now).first)
                #expect(lot.failures == round)
                // Later ones are tried in turn, so that one push does not stand for all.
                #expect(lot.batches.count == (round == 0 ? 4 : 1))
                #expect(lot.batches.first?.events.map(\.attempts) == [round])
                #expect(try await end(lot, failed: [lot.batches[0]], at: now, in: store) == 0)
                #expect(try await take(in: store, at: now.addingTimeInterval(9)).isEmpty)
                #expect(try await store.callbackState(of: MessageID(4))?.problem == "It answered 503.")
                if round == 0 {
                    try await accept(5, of: app, in: store)
                    _ = try await count(in: store)
                    #expect(try await store.nextCallbackDue(besides: []) == after(10))
                }
                let receiver = lot.receiver
                if round < 2 { #expect(try await store.giveUpCallbacks(of: receiver, limit: 3, rows: 3) == nil) }
                if round == 2 {
                    #expect(try await store.giveUpCallbacks(of: receiver, limit: 3, rows: 3) == 3)
                    #expect(try await store.giveUpCallbacks(of: receiver, limit: 3, rows: 3) == 1)
                    #expect(try await store.giveUpCallbacks(of: receiver, limit: 3, rows: 3) == nil)
                }
            }
            // The push that came after the first failure has one attempt left.
            #expect(try await store.waitingCallbacks() == [app: 1])
            let state = try #require(try await store.callbackState(of: MessageID(4)))
            #expect((state.lost, state.waiting, state.problem) == (1, 0, "It answered 503."))
            let lot = try #require(try await take(in: store, at: after(30)).first)
            _ = try await end(lot, delivered: lot.batches, at: after(30), in: store)
            try await accept(6, of: app, in: store)
            _ = try await count(in: store, at: after(30))
            #expect(try await take(in: store, at: after(30)).map(\.failures) == [0])
        },
        Clause("A push that its receiver alone refuses waits alone") { open in
            let store = try open()
            let app = try await newApp(in: store)
            for id: Int64 in 1...2 { try await accept(id, of: app, in: store) }
            for round in 0..<3 {
                let now = after(TimeInterval(round * 10))
                try await accept(Int64(round + 10), of: app, in: store)
                _ = try await count(in: store, at: now)
                let lot = try #require(try await take(in: store, at: now).first)
                #expect(lot.failures == 0)
                let bad = try #require(lot.batches.first { $0.message == MessageID(1) })
                #expect(bad.events.map(\.attempts) == [round])
                let others = lot.batches.filter { $0.message != MessageID(1) }
                #expect(others.count == (round == 0 ? 2 : 1))
                let lost = try await end(lot, delivered: others, failed: [bad], at: now, in: store)
                #expect(lost == (round == 2 ? 1 : 0))
                #expect(
                    try await store.nextCallbackDue(besides: [])
                        == (round == 2 ? nil : after(TimeInterval(round * 10 + 10)))
                )
            }
            #expect(try await store.callbackState(of: MessageID(1))?.lost == 1)
            #expect(try await store.waitingCallbacks().isEmpty)
        },
        Clause("After the clock was set back, neither a paused receiver nor events that were due wait longer") { open in
            let store = try open()
            let app = try await newApp(in: store)
            for id: Int64 in 1...2 { try await accept(id, of: app, in: store) }
            _ = try await count(in: store, at: after(3600))
            let lot = try #require(try await take(in: store, at: after(3600)).first)
            #expect(try await end(lot, failed: [lot.batches[0]], at: after(3600), in: store) == 0)
            #expect(try await store.nextCallbackDue(besides: []) == after(3610))
            try await store.bringForward(by: 3600, at: after(5))
            #expect(try await store.nextCallbackDue(besides: []) == after(10))
            let next = try #require(try await take(in: store, at: after(10)).first)
            #expect(next.batches.map(\.message.number) == [2])
        },
        Clause("The events of a deleted push are gone and no longer counted, and its receiver with the last push") {
            open in
            let store = try open()
            let app = try await newApp(in: store)
            for id: Int64 in 1...2 { try await accept(id, of: app, devices: 600, in: store) }
            _ = try await count(in: store)
            try await accept(3, of: app, in: store)
            let lot = try #require(try await take(in: store).first)
            for id: Int64 in 1...3 { while try await !store.deleteMessage(MessageID(id), rows: 100) {} }
            #expect(try await store.waitingCallbacks().isEmpty)
            #expect(try await end(lot, delivered: lot.batches, in: store) == 0)
            #expect(try await store.waitingCallbacks().isEmpty)
            #expect(try await store.nextCallbackDue(besides: []) == nil)
        },
    ]
}

extension SharedStoreContract {
    static let callbacks = [
        Clause("Readers at two nodes see each event of an app once, and at the same position") { fixture in
            let stores = fixture.data
            let app = try await PushStoreContract.newApp(in: stores[0])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id: Int64 in 1...30 {
                    group.addTask {
                        try await PushStoreContract.accept(
                            id,
                            of: app,
                            to: "",
                            isStreamed: true,
                            in: stores[Int(id % 2)]
                        )
                        _ = try await stores[Int((id + 1) % 2)].events(of: app, after: 0, limit: 100)
                    }
                }
                try await group.waitForAll()
            }
            let first = try await PushStoreContract.events(of: app, in: stores[0])
            #expect(first.count == 60 && Set(first).count == 60)
            #expect(try await PushStoreContract.events(of: app, in: stores[1]) == first)
        },
        Clause("Two nodes count each callback event once, and take each receiver once") { fixture in
            let stores = fixture.data
            let app = try await PushStoreContract.newApp(in: stores[0])
            for id: Int64 in 1...30 {
                try await PushStoreContract.accept(id, of: app, to: "https://\(id % 10).example.com/", in: stores[0])
            }
            async let first = PushStoreContract.count(in: stores[0])
            async let second = PushStoreContract.count(in: stores[1])
            let lost = try await [first, second]
            #expect(lost == [[:], [:]])
            var waiting = try await stores[1].waitingCallbacks()
            #expect(waiting == [app: 30])
            var taken: [CallbackLot] = []
            while true {
                async let first = PushStoreContract.take(in: stores[0])
                async let second = PushStoreContract.take(in: stores[1])
                let lots = try await first + second
                if lots.isEmpty { break }
                taken += lots
            }
            #expect(taken.count == 10 && Set(taken.map(\.receiver)).count == 10)
            for (place, lot) in taken.enumerated() {
                _ = try await PushStoreContract.end(lot, delivered: lot.batches, in: stores[place % 2])
            }
            waiting = try await stores[0].waitingCallbacks()
            #expect(waiting.isEmpty)
        },
    ]
}
