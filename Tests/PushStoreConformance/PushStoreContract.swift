import Foundation
import PushModel
package import PushService
import Synchronization
import Testing

/// The duties of every store, clause by clause: run each against a new store of the implementation.
package enum PushStoreContract {
    /// One promise and how to check it.
    package struct Clause: Sendable, CustomTestStringConvertible {
        package var testDescription: String
        /// - Parameter open: opens the same store, the first time and again.
        package var check: @Sendable (_ open: () throws -> any PushStore) async throws -> Void

        init(_ promise: String, _ check: @escaping @Sendable (_ open: () throws -> any PushStore) async throws -> Void)
        {
            testDescription = promise
            self.check = check
        }

        /// A clause that begins with a store and an app in it.
        init(
            _ promise: String,
            _ check:
                @escaping @Sendable (_ open: () throws -> any PushStore, _ store: any PushStore, _ app: App)
                async throws
                -> Void
        ) {
            self.init(promise) { open in
                let store = try open()
                try await check(open, store, try await app(in: store))
            }
        }
    }

    package static let clauses =
        apps + groups + files + devices + manyDevices + messages + batches + work + leases + schedules + journeys
        + imports
        + reports
        + retention + developers + secrets + users + link + callbacks + rest

    private static func accept(
        _ message: Message,
        _ chunks: [Chunk],
        isPaced: Bool = false,
        in store: any PushStore
    )
        async throws -> PushResult?
    {
        let push = PreparedPush(message: message, chunks: chunks, isPaced: isPaced)
        return try await store.accept([push], cidsSince: after(-86_400)).first ?? nil
    }

    private static let apps = [
        Clause("Apps are numbered from 1 and kept whole") { open in
            let store = try open()
            let first = try await store.createApp(draft("a"))
            let second = try await store.createApp(draft("b"))
            #expect(first.id == 1)
            #expect(second.id == 2)
            var expected = try draft("a")
            expected.id = 1
            #expect(first == expected)
            #expect(try await open().apps() == [first, second])
        },
        Clause("Who sets an app's aliases is kept, and its keys have numbers of their own") { open in
            let store = try open()
            var draft = try draft("a")
            draft.aliases.policy = .backend
            draft.aliases.protectedTags = "role="
            let app = try await store.createApp(draft)
            let other = try await store.createApp(try Self.draft("b"))
            #expect(try await open().apps() == [app, other])
            var rules = app.aliases
            rules.policy = .proved
            rules.protectedTags = ""
            try await store.setAliases(rules, of: app.id)
            #expect(try await store.takeAliasKey(of: app.id, formerUntil: nil) == 1)
            #expect(try await store.takeAliasKey(of: app.id, formerUntil: after(60)) == 2)
            #expect(try await store.takeAliasKey(of: other.id, formerUntil: nil) == 1)
            #expect(try await store.takeAliasKey(of: 77, formerUntil: nil) == nil)
            let stored = try await open().apps().map(\.aliases)
            #expect(stored.map(\.policy) == [.proved, .anyone])
            #expect(stored.map(\.protectedTags) == ["", ""])
            #expect(stored.map(\.keyNumber) == [2, 1])
            #expect(stored.map(\.formerKeyUntil) == [after(60), nil])
            // The rules do not change with a key, nor the key with the rules.
            try await store.setAliases(app.aliases, of: app.id)
            #expect(try await open().apps().first?.aliases.keyNumber == 2)
        },
        Clause("An app key is given out once") { open in
            let store = try open()
            _ = try await store.createApp(draft())
            await #expect(throws: StoreError.self) { _ = try await store.createApp(draft()) }
            #expect(try await store.apps().count == 1)
        },
        Clause("Segments are kept by app and name, and replaced") { open in
            let store = try open()
            let first = try await store.createApp(draft("a")).id
            let second = try await store.createApp(draft("b")).id
            let segment = try Segment(name: "vip", rule: ["seen_within_days": 3])
            let other = try Segment(name: "Vip", rule: ["zone": ["Asia/Shanghai"]])
            try await store.setSegment(try Segment(name: "vip", rule: [:]), of: first)
            try await store.setSegment(segment, of: first)
            try await store.setSegment(other, of: first)
            try await store.setSegment(segment, of: second)
            #expect(try await open().segments().map(\.app) == [first, first, second])
            #expect(try await open().segments().map(\.segment) == [other, segment, segment])
            #expect(try await store.deleteSegment("vip", of: first))
            #expect(try await !store.deleteSegment("vip", of: first))
            #expect(try await store.segments().map(\.segment) == [other, segment])
            // The same character in two code points, which are names of two segments.
            let compatible = try Segment(name: "\u{F92D}", rule: ["seen_within_days": 5])
            let unified = try Segment(name: "\u{4F86}", rule: ["seen_within_days": 6])
            try await store.setSegment(compatible, of: first)
            try await store.setSegment(unified, of: first)
            let both = try await open().segments().map(\.segment).filter { $0.name == "\u{4F86}" }
            #expect(Set(both) == [compatible, unified])
            #expect(try await store.deleteSegment("\u{F92D}", of: first))
            #expect(try await !store.deleteSegment("\u{F92D}", of: first))
            #expect(try await store.segments().map(\.segment).contains(unified))
        },
        Clause("A change of the credentials is stored as it is, and lifts the app's pauses") { open, store, app in
            #expect(try await store.credentials(of: app.id).isEmpty)
            for destination in CredentialSet.destinations(of: app) {
                try await store.pause(destination, Pause(reason: .noCredential, detail: "none", until: after(60)))
            }
            let push = message(1, of: app)
            _ = try await accept(push, [chunk(push, at: start)], in: store)
            #expect(try await store.lease(at: after(1)) == nil)
            let scope = CredentialScope(
                environments: [.development],
                namesEnvironments: true,
                topics: ["com.example.app", "com.example.app.voip"]
            )
            var first = SealedCredential.key(
                of: app.id,
                id: "KEY0000001",
                scope: scope,
                sealed: [1, 0, 255],
                at: start
            )
            var second = SealedCredential.certificate(
                of: app.id,
                for: app.bundleID,
                in: [.development, .production],
                endsAt: after(9),
                fingerprint: [9, 0],
                topics: [app.bundleID, app.bundleID + ".voip"],
                origin: .developer,
                at: after(1)
            )
            let result = try await store.change(CredentialChange(add: [first, second]), of: app.id)
            #expect(result.app == app && result.unknown.isEmpty)
            first.id = result.added[0]
            second.id = result.added[1]
            #expect(try await open().credentials(of: app.id) == [first, second])
            #expect(try await open().credentials() == [first, second])
            #expect(try await open().pauses(of: app.id).isEmpty)
            #expect(try await store.lease(at: after(1)) != nil)
            var narrowed = CredentialChange(remove: [first.id])
            narrowed.narrow = [second.id: [.production]]
            narrowed.bundleID = "com.example.new"
            let changed = try await store.change(narrowed, of: app.id)
            second.scope.environments = [.production]
            #expect(changed.app.bundleID == "com.example.new")
            #expect(try await open().apps() == [changed.app])
            #expect(try await open().credentials(of: app.id) == [second])
        },
        Clause("A change that names a credential of another app changes nothing, and the pauses stay") {
            open,
            store,
            app in
            let other = try await store.createApp(draft("b"))
            let own = try await store.add(.key(of: app.id))
            let pause = Pause(reason: .credentialRefused, detail: "d", until: after(60))
            for one in [app, other] {
                for environment in APNSEnvironment.allCases { try await store.pause(one.id, environment, pause) }
            }
            let change = CredentialChange(add: [.key(of: other.id)], remove: [own, own + 1])
            #expect(try await store.change(change, of: other.id).unknown == [own, own + 1])
            #expect(try await open().credentials(of: other.id).isEmpty)
            #expect(try await open().pauses(of: other.id).count == 2)
            #expect(try await store.credentialEnvironments() == [.development, .production])
            #expect(try await store.remove(own, of: app.id))
            #expect(try await store.credentialEnvironments() == [])
            #expect(try await open().pauses(of: app.id).isEmpty)
            #expect(try await open().pauses(of: other.id).count == 2)
        },
        Clause("An app has room for so many credentials, and no id is assigned again") { open, store, app in
            let all = (0..<SealedCredential.most).map { SealedCredential.key(of: app.id, id: "KEY\($0)") }
            let ids = try await store.change(CredentialChange(add: all), of: app.id).added
            #expect(Set(ids).count == SealedCredential.most)
            await #expect(throws: TooManyCredentials.self) { try await store.add(.key(of: app.id, id: "MORE")) }
            let last = try #require(ids.max())
            let swap = CredentialChange(add: [.key(of: app.id, id: "MORE")], remove: [last])
            #expect(try await store.change(swap, of: app.id).added[0] > last)
            #expect(try await open().credentials(of: app.id).count == SealedCredential.most)
        },
        Clause("An answer of APNs to a credential is kept, in the place of an earlier one about the same") {
            open,
            store,
            app in
            let id = try await store.add(.key(of: app.id))
            func answer(_ reason: APNSReason?, _ seconds: Double) -> KnownAnswers.Answer {
                KnownAnswers.Answer(
                    environment: .production,
                    topic: app.bundleID,
                    reason: reason,
                    at: after(seconds)
                )
            }
            try await store.record([answer(.badEnvironmentKeyInToken, 1)], of: id, app: app.id)
            let refused = try await open().credentials(of: app.id)[0].answers
            #expect(refused.list == [answer(.badEnvironmentKeyInToken, 1)])
            try await store.record([answer(nil, 2)], of: id, app: app.id)
            #expect(try await open().credentials(of: app.id)[0].answers.list == [answer(nil, 2)])
            try await store.record([answer(nil, 3)], of: id + 1, app: app.id)
            #expect(try await open().credentials(of: app.id).count == 1)
        },
        Clause("A pause holds back the pushes to one topic in one environment alone") { open, store, app in
            let voip = Destination(app: app.id, environment: .production, topic: .voip)
            let pause = Pause(reason: .credentialRefused, detail: "TopicDisallowed", until: after(60))
            try await store.pause(voip, pause)
            #expect(try await open().pauses(of: app.id) == [voip: pause])
            let counts = try await open().pauseCounts()
            #expect(
                counts == [PauseCount(environment: .production, topic: .voip, reason: .credentialRefused, apps: 1)]
            )
            let alert = message(1, of: app)
            var call = message(2, of: app)
            call.topic = .voip
            _ = try await accept(alert, [chunk(alert, at: start)], in: store)
            _ = try await accept(call, [chunk(call, at: start)], in: store)
            let waiting = try await store.waiting(for: .onlyNode, at: after(1)).map(\.lane)
            #expect(Set(waiting) == [alert.lane, call.lane])
            func lease(_ lane: Lane) async throws -> Lease? {
                let claim = LeaseClaim(owner: .onlyNode, expiresAt: after(60))
                return try await store.lease(lane, at: after(1), claim, devices: 9, besides: [])
            }
            #expect(try await lease(alert.lane) != nil)
            #expect(try await lease(call.lane) == nil)
            #expect(try await store.journey(of: call.id, to: 0)?.pause == pause)
            #expect(try await store.journey(of: alert.id, to: 0)?.pause == nil)
            try await store.resume(voip)
            let called = try #require(try await lease(call.lane))
            #expect(called.items[0].message.topic == .voip && called.items[0].message.lane == call.lane)
        },
    ]

    /// Returns the names of the stored properties that are the same in both values.
    private static func membersInCommon<Value>(_ one: Value, _ other: Value) -> [String] {
        zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children).compactMap { one, other in
            (one.value as? AnyHashable) == (other.value as? AnyHashable) ? one.label : nil
        }
    }

    private static let devices = [
        Clause("Devices are numbered from 0 in each app") { open in
            let store = try open()
            for key in ["a", "b"] as [Character] {
                let app = try await store.createApp(draft(key))
                for number in 0..<3 {
                    let made = try await device("i\(number)", of: app, in: store)
                    #expect(made.id == DeviceID(app: app.id, ordinal: DeviceOrdinal(number)))
                }
            }
        },
        Clause("An installation that registers again is the same device, with a higher version") { _, store, app in
            let first = try await device("i", of: app, in: store)
            let again = try await store.registerDevice(
                app: app.id,
                installation: "i",
                note: nil,
                make: { _ in preconditionFailure("The device is known.") },
                change: { $0.system = "iOS 17.0" }
            )
            #expect(again.id == first.id)
            #expect(again.version > first.version)
            #expect(again.system == "iOS 17.0")
        },
        Clause("Everything that is told of a device is kept") { open, store, app in
            let made = try await device("i", of: app, in: store)
            let changed = try #require(
                try await store.updateDevice(made.id) { device in
                    device.token = DeviceToken(bytes: [1, 2, 3])
                    device.environment = .development
                    device.tokenRegisteredAt = after(1.5)
                    device.setAlias("中\"'", isProved: true)
                    device.tags = ["a", "\"b\"", ""]
                    device.mobile = "+8613012345678"
                    device.badge = 99_999
                    device.system = "iOS"
                    device.channel = "store"
                    device.zone = "Europe/Berlin"
                    device.appVersion = "1.2"
                    device.language = "zh-Hans-CN"
                    device.permission = .summary
                    device.attributes = ["first_name": "Ana \"中\"", "b": ""]
                    device.tokenRefusal = .badDeviceToken
                    device.lastSeen = after(2)
                    device.secretHash = SecretHash(of: "new")
                    device.isStopped = true
                    device.registeredAt = after(3)
                    device.sequence = 7
                    device.separation = RegisteredDevice.Separation(date: after(4), ordinal: 9)
                }
            )
            // A column that this clause does not know would be stored by chance.
            #expect(membersInCommon(made, changed) == ["id", "installation"])
            #expect(changed.version == made.version + 1)
            #expect(try await store.device(made.id) == changed)
            #expect(try await open().device(made.id) == changed)
            #expect(try await open().allDevices() == [changed])
            let entries = Collected<AudienceEntry>()
            try await open().audience { for entry in $0 { entries.add(entry) } }
            #expect(membersInCommon(made.audienceEntry, changed.audienceEntry) == ["id", "token"])
            // Attributes are read on their own.
            var expected = changed.audienceEntry
            expected.attributes = [:]
            #expect(entries.elements == [expected])
            let stored = try await open().attributes(of: app.id, from: 0, limit: 2)
            #expect(stored.map(\.attributes) == [changed.attributes])
            #expect(stored.first?.version == changed.version)
            #expect(try await open().attributes(of: app.id, from: made.id.ordinal + 1, limit: 2).isEmpty)
            let lists: [[DeviceOrdinal]] = [[0, 1], [1], [0, 7, .max], [1, 2], []]
            for list in lists {
                var expected = AttributeValues(count: list.count)
                if let place = list.firstIndex(of: made.id.ordinal) {
                    expected.set(JSONValue.strings(changed.attributes).bytes.span, at: place)
                }
                #expect(try await open().attributes(of: OrdinalList(list), app: app.id) == expected)
            }
            #expect(try await store.device(DeviceID(app: app.id, ordinal: 1)) == nil)
            #expect(try await store.updateDevice(DeviceID(app: app.id, ordinal: 1)) { $0.badge = 1 } == nil)
        },
        Clause("The registry is told of all devices of all apps: the plain ones, the bare ones and the odd ones") {
            open in
            let store = try open()
            let apps = [try await store.createApp(draft("a")), try await store.createApp(draft("b"))]
            let tokens: [DeviceToken?] = [
                nil, DeviceToken(bytes: [7]), DeviceToken(bytes: 0..<32), DeviceToken(bytes: 0..<100),
            ]
            let tags = [[], ["a"], ["a", "中文", ",", "[]"], ["\\", "\"", "a\n", ""]]
            var expected: Set<AudienceEntry> = []
            for number in 0..<16 {
                let made = try await device("\(number)", of: apps[number % 2], in: store)
                let changed = try await store.updateDevice(made.id) { device in
                    device.token = tokens[number / 4]
                    device.tags = tags[number % 4]
                    device.environment = number < 8 ? .production : .development
                    device.setAlias([nil, "", "alias", "中\"'"][number / 4], isProved: number % 2 == 0)
                    device.badge = number * 6000
                    device.lastSeen = after(Double(number))
                }
                expected.insert(try #require(changed).audienceEntry)
            }
            let entries = Collected<AudienceEntry>()
            try await open().audience { for entry in $0 { entries.add(entry) } }
            #expect(Set(entries.elements) == expected)
            #expect(entries.elements.count == 16)
        },
        Clause("A token belongs to one device of an app, the last that brought it") { _, store, app in
            let other = try await store.createApp(draft("b"))
            let token = DeviceToken(bytes: [9])
            let first = try await device("1", of: app, in: store)
            let second = try await device("2", of: app, in: store)
            let elsewhere = try await device("1", of: other, in: store)
            _ = try await store.setToken(token, .production, of: elsewhere.id, at: start)
            #expect(try await store.setToken(token, .production, of: first.id, at: start).map(\.id) == [first.id])
            let changed = try await store.setToken(token, .development, of: second.id, at: after(5))
            #expect(Set(changed.map(\.id)) == [first.id, second.id])
            #expect(try await store.device(first.id)?.token == nil)
            #expect(try await store.device(second.id)?.token == token)
            #expect(try await store.device(second.id)?.environment == .development)
            #expect(try await store.device(second.id)?.tokenRegisteredAt == after(5))
            #expect(try await store.device(elsewhere.id)?.token == token)
        },
        Clause("The device that loses its token gives up its alias, and no other device does") { open, store, app in
            let other = try await store.createApp(draft("b"))
            let token = DeviceToken(bytes: [9])
            var devices: [DeviceID] = []
            for (owner, name) in [(app, "1"), (app, "2"), (app, "3"), (other, "1")] {
                let made = try await device(name, of: owner, in: store)
                _ = try await store.updateDevice(made.id) { $0.setAlias("bob", isProved: true) }
                devices.append(made.id)
            }
            for index in [3, 0, 1] { _ = try await store.setToken(token, .production, of: devices[index], at: start) }
            var kept: [Bool] = []
            for id in devices {
                let stored = try #require(try await open().device(id))
                #expect(stored.isAliasProved == (stored.alias != nil))
                kept.append(stored.alias == "bob")
            }
            #expect(kept == [false, true, true, true])
        },
    ]

    private static let manyDevices = [
        Clause(
            "Many devices change in one transaction; who is not there is passed over, who stays the same not written"
        ) { open, store, app in
            let other = try await store.createApp(draft("b"))
            for number in 0..<3 { _ = try await device("\(number)", of: app, in: store) }
            let elsewhere = try await device("0", of: other, in: store)
            let changed = try await store.updateDevices([2, 9, 0, 1], of: app.id, keepingTags: []) { device in
                if device.id.ordinal != 1 { device.tags = ["t"] }
            }
            #expect(changed.map(\.id.ordinal) == [2, 0])
            #expect(changed.allSatisfy { $0.version == 2 })
            let all = try await open().allDevices()
            #expect(all.filter { $0.tags == ["t"] }.map(\.id) == changed.map(\.id).reversed())
            #expect(all.contains(elsewhere))
            #expect(try await store.updateDevices([], of: app.id, keepingTags: []) { $0.badge = 1 } == [])
        },
        Clause(
            "A name that differs from the one before in its octets alone is another, for devices and for tags that are kept"
        ) {
            open in
            let rare = "\u{F914}"
            let usual = "\u{6A02}"
            let store = try open()
            let app = try await store.createApp(draft())
            _ = try await device("0", of: app, in: store)
            for name in [rare, usual] {
                let changed = try await store.updateDevices([0], of: app.id, keepingTags: [name]) { device in
                    device.tags = [name]
                    device.alias = name
                }
                #expect(changed.count == 1)
                let stored = try await open().allDevices()[0]
                #expect(stored.tags.map { Array($0.utf8) } == [Array(name.utf8)])
                #expect(stored.alias.map { Array($0.utf8) } == Array(name.utf8))
            }
            _ = try await store.updateDevices([0], of: app.id, keepingTags: []) { $0.tags = [rare, usual] }
            #expect(
                try await open().allDevices()[0].tags.map { Array($0.utf8) } == [Array(rare.utf8), Array(usual.utf8)]
            )
            try await store.forgetTag(rare, of: app.id)
            #expect(try await open().storedTags()[app.id]?.map { Array($0.utf8) } == [Array(usual.utf8)])
        },
        Clause("A change of many that fails for one changes nothing and takes nobody with it") { open in
            struct Refusal: Error {}
            let store = try open()
            let app = try await store.createApp(draft())
            for number in 0..<3 { _ = try await device("\(number)", of: app, in: store) }
            await #expect(throws: Refusal.self) {
                _ = try await store.updateDevices([0, 1, 2], of: app.id, keepingTags: ["t"]) { device in
                    guard device.id.ordinal < 2 else { throw Refusal() }
                    device.badge = 7
                }
            }
            #expect(try await open().allDevices().map(\.badge) == [0, 0, 0])
            #expect(try await store.storedTags() == [:])
        },
        Clause("Tags that are to be kept are known without a device, in their app, until they are forgotten") {
            open,
            store,
            app in
            let other = try await store.createApp(draft("b"))
            _ = try await store.updateDevices([], of: app.id, keepingTags: ["t", "中\"'"]) { _ in }
            _ = try await store.updateDevices([], of: app.id, keepingTags: ["t"]) { _ in }
            _ = try await store.updateDevices([], of: other.id, keepingTags: ["t"]) { _ in }
            #expect(try await open().storedTags() == [app.id: ["t", "中\"'"], other.id: ["t"]])
            try await store.forgetTag("t", of: app.id)
            try await store.forgetTag("never", of: app.id)
            #expect(try await open().storedTags() == [app.id: ["中\"'"], other.id: ["t"]])
        },
    ]

    private static let messages = [
        Clause("Message ids are handed out once, also after opening again and at the same time") { open in
            let stores = [try open(), try open()]
            let firsts = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<20 {
                    group.addTask { try await stores[number % 2].reserveMessageIDs(10, notBefore: MessageID(5)).number }
                }
                return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(firsts.count == 20)
            let sorted = firsts.sorted()
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 >= 10 })
            #expect(sorted.first == 5)
            let later = try await open().reserveMessageIDs(10, notBefore: MessageID(5000))
            #expect(later.number == 5000)
            let back = try await open().reserveMessageIDs(10, notBefore: MessageID(5))
            #expect(back.number == 5010)
        },
        Clause("A cid has its first answer until its time is over") { open, store, app in
            let other = try await store.createApp(draft("b"))
            let first = message(1, of: app, cid: "c")
            #expect(try await accept(first, [chunk(first, at: start)], in: store) == nil)
            let expected = PushResult(messageID: MessageID(1), sendno: 4_294_967_291)
            #expect(try await accept(message(2, of: app, cid: "c"), [], in: store) == expected)
            #expect(try await !store.knowsMessage(MessageID(2), app: app.id, since: after(-60)))
            #expect(try await open().result(ofCID: "c", app: app.id, since: start) == expected)
            #expect(try await store.result(ofCID: "c", app: app.id, since: after(1)) == nil)
            #expect(try await store.result(ofCID: "c", app: other.id, since: start) == nil)
            #expect(try await store.result(ofCID: "d", app: app.id, since: start) == nil)
            let later = message(3, of: app, at: after(90_000), cid: "c")
            let push = PreparedPush(message: later, chunks: [], isPaced: false)
            #expect(try await store.accept([push], cidsSince: after(3600)) == [nil])
            #expect(try await store.result(ofCID: "c", app: app.id, since: after(3600))?.messageID == MessageID(3))
        },
        Clause("A message is known to its app, since its date") { _, store, app in
            let other = try await store.createApp(draft("b"))
            _ = try await accept(message(7, of: app), [], in: store)
            #expect(try await store.knowsMessage(MessageID(7), app: app.id, since: start))
            #expect(try await !store.knowsMessage(MessageID(7), app: app.id, since: after(1)))
            #expect(try await !store.knowsMessage(MessageID(7), app: other.id, since: start))
            #expect(try await !store.knowsMessage(MessageID(8), app: app.id, since: start))
        },
        Clause("Of many pushes in one transaction each has the answer that it would have alone") { open, store, app in
            let first = message(1, of: app, cid: "a")
            _ = try await accept(first, [], in: store)
            let pushes = [message(2, of: app, cid: "a"), message(3, of: app, cid: "b"), message(4, of: app, cid: "b")]
            let prepared = (pushes + [message(5, of: app)]).map { push in
                PreparedPush(message: push, chunks: [chunk(push, at: start)], isPaced: false)
            }
            let results = try await store.accept(prepared, cidsSince: after(-86_400))
            let earlier = ([first, nil, pushes[1], nil] as [Message?]).map {
                $0.map { PushResult(messageID: $0.id, sendno: 4_294_967_291) }
            }
            #expect(results == earlier)
            let again = try open()
            for (id, isKept) in [(2, false), (3, true), (4, false), (5, true)] as [(Int64, Bool)] {
                #expect(try await again.knowsMessage(MessageID(id), app: app.id, since: start) == isKept)
            }
            #expect(try await again.lease(at: start)?.0.id == pushes[1].id)
            // A cid that was used before then is as good as new.
            let late = message(6, of: app, at: after(10), cid: "a")
            let push = PreparedPush(message: late, chunks: [], isPaced: false)
            #expect(try await store.accept([push], cidsSince: after(1)) == [nil])
            #expect(try await store.result(ofCID: "a", app: app.id, since: start)?.messageID == late.id)
        },
        Clause("If one of many pushes fails to be kept, none is") { _, store, app in
            _ = try await accept(message(1, of: app), [], in: store)
            let prepared = [message(2, of: app, cid: "c"), message(1, of: app)].map {
                PreparedPush(message: $0, chunks: [], isPaced: false)
            }
            await #expect(throws: (any Error).self) { try await store.accept(prepared, cidsSince: start) }
            #expect(try await !store.knowsMessage(MessageID(2), app: app.id, since: start))
            #expect(try await store.result(ofCID: "c", app: app.id, since: start) == nil)
        },
        Clause("Broadcasts are counted to their limit, each day anew") { open, store, app in
            let other = try await store.createApp(draft("b"))
            var taken: [Bool] = []
            for _ in 0..<3 { taken.append(try await store.countBroadcast(of: app.id, day: 7, limit: 2)) }
            #expect(taken == [true, true, false])
            #expect(try await store.countBroadcast(of: other.id, day: 7, limit: 2))
            #expect(try await open().countBroadcast(of: app.id, day: 8, limit: 2))
            #expect(try await !open().countBroadcast(of: app.id, day: 8, limit: 1))
            // One that was not kept does not count.
            try await store.returnBroadcast(of: app.id, day: 8)
            #expect(try await store.countBroadcast(of: app.id, day: 8, limit: 1))
            try await store.returnBroadcast(of: app.id, day: 9)
            #expect(try await store.countBroadcast(of: app.id, day: 9, limit: 1))
        },
        Clause("Paced messages count until their last chunk is done") { _, store, app in
            let paced = message(1, of: app)
            _ = try await accept(
                paced,
                [chunk(paced, 0, at: start), chunk(paced, 1, at: start)],
                isPaced: true,
                in: store
            )
            let plain = message(2, of: app)
            _ = try await accept(plain, [chunk(plain, at: after(9))], in: store)
            #expect(try await store.pacedMessages(of: app.id) == 1)
            for left in [1, 0] {
                var (_, leased) = try #require(try await store.lease(at: start))
                leased.isDone = true
                _ = try await store.checkpoint(leased, releases: true, deviceEvents: [], refusedTokens: [])
                #expect(try await store.pacedMessages(of: app.id) == left)
            }
        },
        Clause("Withdrawing ends what is left of a message, once; a chunk under way is told at its checkpoint") {
            open,
            store,
            app in
            let push = message(1, of: app)
            let chunks = [
                chunk(push, 0, [0], at: start), chunk(push, 1, [1], at: start), chunk(push, 2, at: after(60)),
            ]
            _ = try await accept(push, chunks, in: store)
            let bystander = message(2, of: app)
            _ = try await accept(bystander, [chunk(bystander, at: after(70))], in: store)
            var (_, done) = try #require(try await store.lease(at: start))
            done.isDone = true
            done.sent.insert(0)
            #expect(
                try await !store.checkpoint(done, releases: true, deviceEvents: [], refusedTokens: []).isWithdrawn
            )
            var (_, underWay) = try #require(try await store.lease(at: start))
            let ended = try await store.withdraw(push.id, of: app.id, since: start, at: after(5))
            #expect(ended == [chunks[2]])
            #expect(try await open().nextDue() == after(70))
            // Whatever its worker says, it does not come back.
            underWay.problem = .retried("connection")
            underWay.updatedAt = after(6)
            #expect(
                try await store.checkpoint(underWay, releases: true, deviceEvents: [], refusedTokens: []).isWithdrawn
            )
            #expect(try await store.lease(at: after(69)) == nil)
            #expect(try await store.journey(of: push.id, to: 0)?.chunk?.problem == nil)
            for ordinal: DeviceOrdinal in [1, 2] {
                let chunk = try #require(try await store.journey(of: push.id, to: ordinal)?.chunk)
                #expect(chunk.problem == .withdrawn)
                #expect(chunk.isDone)
                #expect(chunk.updatedAt == after(ordinal == 1 ? 6 : 5))
            }
            #expect(try await store.withdraw(push.id, of: app.id, since: start, at: after(9)) == [])
        },
        Clause("Withdrawing a push withdraws the VoIP push beside it with it, once") { _, store, app in
            let push = message(1, of: app)
            let call = message(2, of: app)
            var prepared = PreparedPush(message: push, chunks: [chunk(push, at: after(60))], isPaced: false)
            var voip = PreparedPush(message: call, chunks: [chunk(call, at: after(60))], isPaced: false)
            voip.isVoIP = true
            prepared.voip = [voip]
            _ = try await store.accept([prepared], cidsSince: after(-86_400))
            let ended = try #require(try await store.withdraw(push.id, of: app.id, since: start, at: after(5)))
            #expect(ended.map(\.id.message) == [push.id, call.id])
            for id in [push.id, call.id] {
                let chunk = try #require(try await store.journey(of: id, to: 0)?.chunk)
                #expect(chunk.problem == .withdrawn && chunk.isDone && chunk.updatedAt == after(5))
            }
            #expect(try await store.lease(at: after(70)) == nil)
            #expect(try await store.withdraw(push.id, of: app.id, since: start, at: after(9)) == [])
        },
        Clause(
            "The pushes that a withdrawal makes are stored with it, a take-back and a replacement once, or nothing is changed"
        ) {
            _,
            store,
            app in
            let push = message(1, of: app)
            _ = try await accept(push, [chunk(push, at: start)], in: store)
            func withdraw(
                _ pushes: @escaping @Sendable (WithdrawnPush) throws -> [PreparedPush]
            ) async throws -> Withdrawal? {
                try await store.withdraw(
                    push.id,
                    of: app.id,
                    since: start,
                    at: after(1),
                    cidsSince: after(-86_400),
                    storing: pushes
                )
            }
            struct Mistake: Error {}
            await #expect(throws: Mistake.self) { try await withdraw { _ in throw Mistake() } }
            #expect(try await store.journey(of: push.id, to: 0)?.chunk?.isDone == false)
            let replacement = message(2, of: app)
            var order = message(3, of: app)
            order.cid = "take-back-1"
            #expect(order.takesBack == push.id)
            let new = [replacement, order].map { message in
                PreparedPush(message: message, chunks: [chunk(message, at: after(60))], isPaced: false)
            }
            let withdrawal = try await withdraw { push in
                #expect(push.message.id == MessageID(1) && push.ended.count == 1 && push.takeBacks == [])
                #expect(push.reaches.map(\.kind) == [.send])
                #expect(push.replacement == nil)
                return new
            }
            #expect(withdrawal?.pushes.map(\.message.id) == [MessageID(2), MessageID(3)])
            #expect(try await store.takeBacks(of: push.id, on: nil).map(\.id) == [order.id])
            for id in [replacement.id, order.id] {
                #expect(try await store.journey(of: id, to: 0)?.chunk?.isDone == false)
            }
            _ = try await withdraw { push in
                #expect(push.takeBacks.map(\.device) == [nil])
                #expect(push.replacement == MessageID(2))
                return []
            }
        },
        Clause("Devices that got a push and have not opened it are asked alone, each once") { _, store, app in
            let push = message(1, of: app)
            var sent = chunk(push, 0, [2, 4, 6, 8], at: start)
            _ = try await accept(push, [sent], in: store)
            (_, sent) = try #require(try await store.lease(at: start))
            for place in 0..<3 { sent.sent.insert(place) }
            sent.isDone = true
            _ = try await store.checkpoint(sent, releases: true, deviceEvents: [], refusedTokens: [])
            let opener = DeviceID(app: app.id, ordinal: 2)
            try await store.record([push.id: [.received, .clicked]], inApp: [:], of: opener, at: after(1))
            @Sendable func order(_ id: Int64, to device: DeviceOrdinal) -> PreparedPush {
                var order = message(id, of: app, at: after(2))
                order.cid = "take-back-1-\(device)"
                return PreparedPush(message: order, chunks: [chunk(order, 0, [device], at: after(60))], isPaced: false)
            }
            func ask(_ devices: [DeviceOrdinal], from first: Int64) async throws -> [DeviceOrdinal?] {
                try await store.takeBack(
                    push.id,
                    from: devices,
                    of: app.id,
                    at: after(2),
                    cidsSince: after(-86_400)
                ) { devices in
                    devices.enumerated().map { order(first + Int64($0), to: $1) }
                }.map(\.takesBackFrom)
            }
            #expect(try await ask([2, 4, 8], from: 10) == [4], "The first has opened it, the last has not got it.")
            #expect(try await ask([4, 6], from: 20) == [6])
            #expect(try await ask([4, 6], from: 30) == [])
            #expect(try await store.takeBacks(of: push.id, on: 4).map(\.id) == [MessageID(10)])
            let device = DeviceID(app: app.id, ordinal: 4)
            #expect(try await store.openTakeBacks(of: device, since: start).map(\.message) == [push.id])
            try await store.record([MessageID(10): [.clicked]], inApp: [:], of: device, at: after(3))
            #expect(try await store.openTakeBacks(of: device, since: start) == [])
            #expect(try await store.takeBacks(of: push.id, on: 4).map(\.answer) == [.clicked])
        },
        Clause("Only the app's own message of the time asked for is withdrawn") { _, store, app in
            let other = try await store.createApp(draft("b"))
            let push = message(1, of: app)
            _ = try await accept(push, [chunk(push, at: start)], in: store)
            #expect(try await store.withdraw(push.id, of: other.id, since: start, at: start) == nil)
            #expect(try await store.withdraw(push.id, of: app.id, since: after(1), at: after(1)) == nil)
            #expect(try await store.withdraw(MessageID(2), of: app.id, since: start, at: start) == nil)
            #expect(try await store.lease(at: start) != nil)
        },
        Clause("A message that fails to be kept leaves nothing behind and takes nobody with it") { _, store, app in
            let kept = message(1, of: app)
            _ = try await accept(kept, [], in: store)
            await #expect(throws: (any Error).self) {
                // The id is taken.
                _ = try await accept(message(1, of: app, cid: "c"), [], in: store)
            }
            #expect(try await store.result(ofCID: "c", app: app.id, since: start) == nil)
        },
    ]

    private static let work = [
        Clause("The chunk that has been due for longest is leased first, each once") { _, store, app in
            let push = message(1, of: app, cid: "c")
            let chunks = [chunk(push, 0, [7], at: after(20)), chunk(push, 1, [8, 4_000_000], at: after(10))]
            _ = try await accept(push, chunks, in: store)
            #expect(try await store.nextDue() == after(10))
            #expect(try await store.lease(at: after(9)) == nil)
            let first = try #require(try await store.lease(at: after(30)))
            #expect(first.0 == push)
            var expected = chunks[1]
            expected.fence = 1
            #expect(first.1 == expected)
            #expect(try await store.nextDue() == after(20))
            #expect(try await store.lease(at: after(30))?.1.id.number == 0)
            #expect(try await store.lease(at: after(30)) == nil)
            #expect(try await store.nextDue() == nil)
        },
        Clause("Chunks of a lane are leased together, in their order, up to a number of devices") { open, store, app in
            let other = try await store.createApp(draft("b"))
            // Those that lie with their message, and those that do not.
            for (id, ordinals, date) in [
                (1, [1, 2], start), (2, [3], start), (3, [4, 5, 6], after(1)), (4, [7], start), (5, [8], after(90)),
            ] as [(Int64, [DeviceOrdinal], Date)] {
                let push = message(id, of: app)
                _ = try await accept(push, [chunk(push, 0, ordinals, at: date)], in: store)
            }
            let foreign = message(6, of: other)
            _ = try await accept(foreign, [chunk(foreign, 0, [1], at: start)], in: store)
            func lease(_ devices: Int) async throws -> Lease? {
                try await store.lease(at: after(10), besides: [], devices: devices)
            }
            let first = try #require(try await lease(4))
            #expect(first.items.map(\.message.id.number) == [1, 2, 4])
            #expect(first.items.map(\.chunk.ordinals.ordinals) == [[1, 2], [3], [7]])
            #expect(first.items.allSatisfy { $0.chunk.fence == 1 && $0.chunk.id.message == $0.message.id })
            #expect(first.lane == Lane(app: app.id, environment: .production, .immediate))
            #expect(!first.isTrial)
            let second = try #require(try await lease(4))
            #expect(second.items.map(\.message.id.number) == [6])
            let third = try #require(try await lease(2))
            #expect(third.items.map(\.message.id.number) == [3], "The first is taken however large it is.")
            #expect(try await lease(100) == nil, "The rest is due later.")
            let next = try open()
            try await next.releaseLeases()
            #expect(try await next.lease(at: after(10), besides: [], devices: 100)?.items.count == 4)
        },
        Clause("A device that is meant by two chunks has them one after the other") { _, store, app in
            for (id, ordinals) in [(1, [1]), (2, [2, 3]), (3, [3]), (4, [4])] as [(Int64, [DeviceOrdinal])] {
                let push = message(id, of: app)
                _ = try await accept(push, [chunk(push, 0, ordinals, at: start)], in: store)
            }
            // The third waits for the second; who has no device in common with either goes with it.
            var leases: [[Int64]] = []
            while let lease = try await store.lease(at: start, besides: [], devices: 500) {
                leases.append(lease.items.map(\.message.id.number))
            }
            #expect(leases == [[1, 2, 4], [3]])
        },
        Clause("After a pause one chunk goes alone") { _, store, app in
            for id: Int64 in 1...3 {
                let push = message(id, of: app)
                _ = try await accept(push, [chunk(push, 0, [DeviceOrdinal(id)], at: start)], in: store)
            }
            try await store.pause(app.id, .production, Pause(reason: .noCredential, detail: "", until: after(60)))
            #expect(try await store.lease(at: after(59), besides: [], devices: 500) == nil)
            let trial = try #require(try await store.lease(at: after(60), besides: [], devices: 500))
            #expect(trial.isTrial)
            #expect(trial.items.map(\.message.id.number) == [1])
            try await store.resume(Destination(app: app.id, environment: .production))
            let lease = try #require(try await store.lease(at: after(60), besides: [], devices: 500))
            #expect(!lease.isTrial)
            #expect(lease.items.map(\.message.id.number) == [2, 3])
        },
        Clause("What is leased by one that has died can be leased again") { open, store, app in
            let push = message(1, of: app)
            _ = try await accept(push, [chunk(push, at: start)], in: store)
            _ = try await store.lease(at: start)
            let next = try open()
            #expect(try await next.lease(at: start) == nil)
            try await next.releaseLeases()
            #expect(try await next.lease(at: start)?.1.fence == 2)
        },
        Clause("A checkpoint keeps where the chunk has come to") { open, store, app in
            let push = message(1, of: app)
            _ = try await accept(push, [chunk(push, at: start)], in: store)
            var (_, leased) = try #require(try await store.lease(at: start))
            leased.cursor = 2
            leased.sent.insert(1)
            leased.problem = .retried("connection")
            leased.dueAt = after(5)
            leased.updatedAt = after(1)
            _ = try await store.checkpoint(leased, releases: false, deviceEvents: [], refusedTokens: [])
            #expect(try await store.lease(at: after(9)) == nil, "It is still leased.")
            _ = try await store.checkpoint(leased, releases: true, deviceEvents: [], refusedTokens: [])
            #expect(try await store.lease(at: after(4)) == nil)
            let again = try #require(try await open().lease(at: after(5))).1
            leased.fence = 2
            #expect(again == leased)
        },
        Clause("Badges are written with how far they reach") { open, store, app in
            for number in 0..<2 { _ = try await device("\(number)", of: app, in: store) }
            let push = message(1, of: app)
            let chunk = chunk(push, 0, [0, 1], at: start)
            _ = try await accept(push, [chunk], in: store)
            let leased = try #require(try await store.lease(at: start)).1
            let changed = try await store.prepareBadges(
                [BadgeUpdate(leased, badges: [(0, 3), (1, 0)], prepared: 2)],
                app: app.id
            )
            let device = try #require(try await open().device(DeviceID(app: app.id, ordinal: 0)))
            // The second had no badge before.
            #expect(changed.map(\.ordinal) == [0])
            #expect(changed.map(\.badge) == [3])
            #expect(changed.map(\.version) == [device.version])
            #expect(device.badge == 3)
            try await store.releaseLeases()
            #expect(try await open().lease(at: start)?.1.prepared == 2)
        },
        Clause("A dead token goes, unless it was replaced or registered again since") { _, store, app in
            let push = message(1, of: app)
            _ = try await accept(push, [chunk(push, at: start)], in: store)
            let (_, leased) = try #require(try await store.lease(at: start))
            var ids: [DeviceID] = []
            for number: UInt8 in 0..<3 {
                let made = try await device("\(number)", of: app, in: store)
                _ = try await store.setToken(DeviceToken(bytes: [number]), .production, of: made.id, at: after(10))
                ids.append(made.id)
            }
            let dead = [
                RefusedToken(device: ids[0], token: DeviceToken(bytes: [0]), reason: .unregistered, since: after(10)),
                RefusedToken(device: ids[1], token: DeviceToken(bytes: [1]), reason: .unregistered, since: after(9)),
                RefusedToken(device: ids[2], token: DeviceToken(bytes: [9]), reason: .unregistered, since: after(20)),
            ]
            let changed = try await store.checkpoint(leased, releases: true, deviceEvents: [], refusedTokens: dead)
                .devices
            #expect(changed.map(\.id) == [ids[0]])
            #expect(try await store.device(ids[0])?.token == nil)
            #expect(try await store.device(ids[1])?.token == DeviceToken(bytes: [1]))
            #expect(try await store.device(ids[2])?.token == DeviceToken(bytes: [2]))
        },
        Clause("A paused app is passed over in that environment until the pause ends or is lifted") { _, store, app in
            let other = try await store.createApp(draft("b"))
            let waiting = message(1, of: app)
            _ = try await accept(waiting, [chunk(waiting, at: start)], in: store)
            try await store.pause(app.id, .development, Pause(reason: .noCredential, detail: "", until: after(60)))
            try await store.pause(other.id, .production, Pause(reason: .noCredential, detail: "", until: after(60)))
            #expect(try await store.nextDue() == start, "Neither pause is this message's.")
            try await store.pause(app.id, .production, Pause(reason: .credentialRefused, detail: "d", until: after(60)))
            #expect(try await store.lease(at: after(59)) == nil)
            #expect(try await store.nextDue() == after(60))
            let facts = try #require(try await store.journey(of: waiting.id, to: 0))
            #expect(facts.pause == Pause(reason: .credentialRefused, detail: "d", until: after(60)))
            let (_, leased) = try #require(try await store.lease(at: after(60)))
            _ = try await store.checkpoint(leased, releases: true, deviceEvents: [], refusedTokens: [])
            try await store.pause(
                app.id,
                .production,
                Pause(reason: .credentialRefused, detail: "d", until: after(120))
            )
            #expect(try await store.lease(at: after(61)) == nil)
            try await store.resume(Destination(app: app.id, environment: .production))
            try await store.resume(Destination(app: app.id, environment: .production))
            #expect(try await store.lease(at: after(61)) != nil)
        },
    ]

    private static let journeys = [
        Clause("Events come back in the order of their dates, each once") { open, store, app in
            let push = message(1, of: app)
            _ = try await accept(
                push,
                [chunk(push, 0, [0, 5], at: start), chunk(push, 1, [6, 9], at: start)],
                in: store
            )
            func event(_ seconds: TimeInterval, _ kind: JourneyEvent.Kind) -> JourneyEntry {
                let event = JourneyEvent(date: after(seconds), station: .device, kind: kind)
                return JourneyEntry(message: push.id, ordinal: 6, event: event)
            }
            let events = [event(3, .opened), event(1, .delivered), event(2, .presented(.banner))]
            try await store.record(events)
            try await store.record([event(1, .delivered)])
            var elsewhere = event(0, .fired)
            elsewhere.ordinal = 5
            try await store.record([elsewhere])
            let facts = try #require(try await open().journey(of: push.id, to: 6))
            #expect(facts.events == [events[1], events[2], events[0]].map(\.event))
            #expect(facts.message == push)
            #expect(facts.chunk?.id.number == 1)
            #expect(facts.pause == nil)
            #expect(try await store.journey(of: push.id, to: 5)?.chunk?.id.number == 0)
            #expect(try await store.journey(of: push.id, to: 7)?.chunk == nil)
            #expect(try await store.journey(of: push.id, to: 7)?.events.isEmpty == true)
            #expect(try await store.journey(of: MessageID(2), to: 0) == nil)
        }
    ]

    private static let rest = [
        Clause("Small things are kept by name") { open in
            let store = try open()
            #expect(try await store.value("secret") == nil)
            try await store.setValue([1, 0, 255], for: "secret")
            try await store.setValue([], for: "empty")
            try await store.setValue([2], for: "secret")
            #expect(try await open().value("secret") == [2])
            #expect(try await open().value("empty")?.isEmpty == true)
            #expect(try await store.setDefault([3], for: "secret") == [2])
            #expect(try await store.setDefault([4], for: "first") == [4])
            #expect(try await open().value("first") == [4])
        },
        Clause("Writes at the same time all arrive") { open in
            let store = try open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    group.addTask { try await store.setValue([UInt8(number % 256)], for: "k\(number)") }
                }
                try await group.waitForAll()
            }
            let again = try open()
            for number in 0..<300 { #expect(try await again.value("k\(number)") == [UInt8(number % 256)]) }
        },
    ]
}

/// Keeps the elements that a store hands out, in their order.
final class Collected<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])

    var elements: [Element] { list.withLock(\.self) }

    func add(_ element: Element) { list.withLock { $0.append(element) } }
}
