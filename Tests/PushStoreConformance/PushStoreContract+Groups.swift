import Foundation
import PushModel
import PushService
import Testing

extension PushStoreContract {
    static let groups = [
        Clause("A group is kept whole, with its apps in rising order") { open in
            let store = try open()
            let first = try await app("a", in: store).id
            let second = try await app("b", in: store).id
            let group = try await store.createGroup(Self.group("g", [second, first]))
            var expected = try Self.group("g", [first, second])
            expected.id = group.id
            #expect(try await open().group(group.key) == expected)
            let empty = try await store.createGroup(Self.group("h"))
            #expect(try await open().groups() == [expected, empty])
            #expect(try await store.group(Self.group("i").key) == nil)
        },
        Clause("A group key is given out once") { open in
            let store = try open()
            _ = try await store.createGroup(Self.group("g"))
            await #expect(throws: StoreError.self) { try await store.createGroup(Self.group("g")) }
            #expect(try await store.groups().count == 1)
        },
        Clause("Apps come into a group and leave it; what is so already changes nothing") { open in
            let store = try open()
            let first = try await app("a", in: store).id
            let second = try await app("b", in: store).id
            let group = try await store.createGroup(Self.group("g", [first]))
            let other = try await store.createGroup(Self.group("h", [first]))
            try await store.changeGroup(group.id, adding: [second, first], removing: [])
            #expect(try await open().group(group.key)?.apps == [first, second])
            try await store.changeGroup(group.id, adding: [], removing: [first])
            try await store.changeGroup(group.id, adding: [], removing: [first])
            #expect(try await open().group(group.key)?.apps == [second])
            #expect(try await store.group(other.key)?.apps == [first])
        },
        Clause("A push to a group is kept with its answer and the messages of its apps, once for a cid") { open in
            let store = try open()
            let first = try await app("a", in: store).id
            let second = try await app("b", in: store).id
            let group = try await store.createGroup(Self.group("g", [first, second]))
            func push(_ id: String, at seconds: TimeInterval = 0, cid: String? = "c") -> GroupPush {
                GroupPush(
                    id: id,
                    group: group.id,
                    cid: cid,
                    acceptedAt: start.addingTimeInterval(seconds),
                    answer: ["group_msgid": .string(id), "é": ["error": 1]],
                    messages: [first: MessageID(1)]
                )
            }
            let message = Message(
                id: MessageID(1),
                app: first,
                acceptedAt: start,
                body: [],
                environment: .production,
                timeToLive: 60,
                sendno: 0,
                cid: nil
            )
            let prepared = PreparedPush(message: message, chunks: [], isPaced: false)
            #expect(try await store.accept(push("x"), [prepared], cidsSince: start) == nil)
            #expect(try await store.knowsMessage(message.id, app: first, since: start))
            #expect(try await open().groupPush("x", of: group.id) == push("x"))
            #expect(try await store.groupPush("x", of: group.id + 1) == nil)
            #expect(try await store.groupPush(ofCID: "c", of: group.id, since: start) == push("x"))
            #expect(try await store.groupPush(ofCID: "c", of: group.id + 1, since: start) == nil)
            #expect(try await store.groupPush(ofCID: "c", of: group.id, since: start.addingTimeInterval(1)) == nil)
            #expect(try await store.accept(push("y", at: 5), [], cidsSince: start) == push("x"))
            #expect(try await store.groupPush("y", of: group.id) == nil)
            #expect(try await store.accept(push("z", at: 5), [], cidsSince: start.addingTimeInterval(1)) == nil)
            #expect(try await store.accept(push("n", cid: nil), [], cidsSince: start) == nil)
            // Reports ask for it when the group is gone.
            #expect(try await store.deleteGroup(group.id, at: start))
            #expect(try await store.groupPush("x", of: group.id)?.messages == [first: message.id])
        },
        Clause("A deleted group is gone, its apps stay") { open in
            let store = try open()
            let member = try await app("a", in: store).id
            let group = try await store.createGroup(Self.group("g", [member]))
            #expect(try await store.deleteGroup(group.id, at: start))
            #expect(try await !store.deleteGroup(group.id, at: start))
            #expect(try await open().group(group.key) == nil)
            #expect(try await store.apps().map(\.id) == [member])
        },
    ]
}
