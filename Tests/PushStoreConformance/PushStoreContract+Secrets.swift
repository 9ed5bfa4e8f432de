import Foundation
import PushModel
import PushService
import Testing

// Other secrets, other names, and the ends of apps, groups and developers.
extension PushStoreContract {
    /// A secret that follows another after some seconds, or at once.
    private static func replacement(_ secret: String, overlap: TimeInterval? = nil) -> SecretReplacement {
        SecretReplacement(
            hash: SecretHash(of: secret),
            at: start,
            formerEnd: overlap.map { start.addingTimeInterval($0) }
        )
    }

    /// Checks that a holder has the secret `new`, and `former` until an hour after the start.
    private static func expect(_ holder: some SecretHolder, _ new: String, after former: String...) {
        let kept = former.map { FormerSecret(hash: SecretHash(of: $0), end: start.addingTimeInterval(3600)) }
        #expect(holder.secretHash == SecretHash(of: new))
        #expect(holder.formerSecrets == kept)
    }

    private static func kept(in store: any PushStore) async throws -> App {
        let found = try await store.apps().first
        return try #require(found)
    }

    private static func kept(_ key: GroupKey, in store: any PushStore) async throws -> AppGroup {
        let found = try await store.group(key)
        return try #require(found)
    }

    private static func kept(_ key: AppKey, in store: any PushStore) async throws -> Developer {
        let found = try await store.developer(key)
        return try #require(found)
    }

    static let secrets: [Clause] = [
        Clause("An app's secret is replaced, at once or with an overlap, and the one before it ended") { open in
            let store = try open()
            let app = try await store.createApp(draft(secret: "old"))
            #expect(
                try await store.replaceSecret(of: .app(app.id), by: replacement("b", overlap: 3600), sealed: []) != nil
            )
            expect(try await kept(in: open()), "b", after: "old")
            #expect(
                try await store.replaceSecret(of: .app(app.id), by: replacement("c", overlap: 3600), sealed: []) != nil
            )
            expect(try await kept(in: open()), "c", after: "old", "b")
            try await store.endFormerSecrets(of: .app(app.id))
            expect(try await kept(in: open()), "c")
            #expect(try await store.replaceSecret(of: .app(app.id), by: replacement("d"), sealed: []) != nil)
            expect(try await kept(in: open()), "d")
            #expect(try await store.rename(.app(app.id), to: "Other"))
            #expect(try await kept(in: open()).name == "Other")
            #expect(try await store.deleteApp(app.id, at: start))
            #expect(try await !store.deleteApp(app.id, at: start))
            #expect(try await !store.rename(.app(app.id), to: "Gone"))
            #expect(try await store.replaceSecret(of: .app(app.id), by: replacement("e"), sealed: []) == nil)
        },
        Clause("Secrets whose end has passed make room; beyond a number a secret is not replaced with an overlap") {
            open in
            let store = try open()
            let app = try await store.createApp(draft(secret: "old"))
            for number in 1...FormerSecret.most {
                let next = replacement("\(number)", overlap: 3600)
                #expect(try await store.replaceSecret(of: .app(app.id), by: next, sealed: []) != nil)
            }
            await #expect(throws: TooManySecrets.self) {
                _ = try await store.replaceSecret(of: .app(app.id), by: replacement("6", overlap: 3600), sealed: [])
            }
            #expect(try await open().apps().first?.secretHash == SecretHash(of: "5"))
            var later = replacement("6", overlap: 7200)
            later.date = start.addingTimeInterval(3600)
            #expect(try await store.replaceSecret(of: .app(app.id), by: later, sealed: [])?.formerSecrets.count == 1)
        },
        Clause("The Admin API hands out the new secret of an app, and none of a deleted developer") { open in
            let store = try open()
            let developer = try await store.createDeveloper(Self.developer("d", secret: "old"))
            let owned = OwnedApp(developer: developer.id, package: "p", group: nil, sealedSecret: [1])
            let made = try await store.createApp(draft(secret: "old"), owned)
            #expect(try await store.replaceSecret(of: .app(made.app.id), by: replacement("b"), sealed: [2]) != nil)
            #expect(try await open().createApp(draft("b", secret: "old"), owned).owned.sealedSecret == [2])
            #expect(try await store.deleteDeveloper(developer.id, at: start) == 1)
            #expect(try await open().createApp(draft("b", secret: "old"), owned).owned.sealedSecret == [])
            #expect(try await store.apps().map(\.id) == [made.app.id], "The apps stay.")
        },
        Clause("A group's secret and name are replaced; a deleted group's id and key are never used again") { open in
            let store = try open()
            let member = try await store.createApp(draft(secret: "old")).id
            let group = try await store.createGroup(Self.group("g", [member], secret: "old"))
            #expect(
                try await store.replaceSecret(of: .group(group.id), by: replacement("b", overlap: 3600), sealed: nil)
                    != nil
            )
            expect(try await kept(group.key, in: open()), "b", after: "old")
            expect(try #require(try await store.groups().first), "b", after: "old")
            try await store.endFormerSecrets(of: .group(group.id))
            expect(try await kept(group.key, in: open()), "b")
            #expect(try await store.rename(.group(group.id), to: "Other"))
            #expect(try await kept(group.key, in: open()).name == "Other")
            #expect(try await store.deleteGroup(group.id, at: start))
            #expect(try await !store.rename(.group(group.id), to: "Gone"))
            #expect(try await store.replaceSecret(of: .group(group.id), by: replacement("c"), sealed: nil) == nil)
            #expect(try await open().groups().isEmpty)
            await #expect(throws: StoreError.self) { _ = try await store.createGroup(Self.group("g", secret: "old")) }
            #expect(try await store.createGroup(Self.group("h", secret: "old")).id > group.id)
        },
        Clause("A developer's secret and name are replaced; the id and key are never used again") { open in
            let store = try open()
            let made = try await store.createDeveloper(Self.developer("d", secret: "old"))
            #expect(
                try await store.replaceSecret(of: .developer(made.id), by: replacement("b", overlap: 3600), sealed: nil)
                    != nil
            )
            expect(try await kept(made.key, in: open()), "b", after: "old")
            try await store.endFormerSecrets(of: .developer(made.id))
            expect(try await kept(made.key, in: open()), "b")
            #expect(try await store.rename(.developer(made.id), to: "Other"))
            #expect(try await kept(made.key, in: open()).name == "Other")
            #expect(try await store.deleteDeveloper(made.id, at: start) == 0)
            #expect(try await store.deleteDeveloper(made.id, at: start) == nil)
            #expect(try await !store.rename(.developer(made.id), to: "Gone"))
            #expect(try await store.replaceSecret(of: .developer(made.id), by: replacement("c"), sealed: nil) == nil)
            #expect(try await !store.enableDeveloper(made.key, true))
            #expect(try await open().developers().isEmpty)
            #expect(try await open().developer(made.key) == nil)
            await #expect(throws: StoreError.self) { _ = try await store.createDeveloper(Self.developer("d")) }
            #expect(try await store.createDeveloper(Self.developer("e", secret: "old")).id > made.id)
        },
        Clause("What an app has is counted, and its groups lose it with its deletion") { open in
            let store = try open()
            let app = try await store.createApp(draft(secret: "old"))
            let other = try await store.createApp(draft("b", secret: "old"))
            let group = try await store.createGroup(Self.group("g", [app.id, other.id], secret: "old"))
            try await store.setSegment(Segment(name: "s", rule: [:]), of: app.id)
            _ = try await device("i", of: app, in: store)
            var push = message(7, of: app)
            let chunk = chunk(push, 0, [0])
            let waiting = PreparedPush(message: push, chunks: [chunk], isPaced: false)
            push.id = MessageID(8)
            let ended = PreparedPush(message: push, chunks: [], isPaced: false)
            _ = try await store.accept([waiting, ended], cidsSince: start)
            var expected = AppContents(
                devices: 1,
                pushes: 2,
                waiting: 1,
                schedules: 0,
                templates: 0,
                segments: 1,
                callbacks: 0,
                credentials: 0,
                groups: 1
            )
            #expect(try await open().contents(of: app.id) == expected)
            expected = AppContents(
                devices: 0,
                pushes: 0,
                waiting: 0,
                schedules: 0,
                templates: 0,
                segments: 0,
                callbacks: 0,
                credentials: 0,
                groups: 1
            )
            #expect(try await open().contents(of: other.id) == expected)
            #expect(try await store.deleteApp(app.id, at: start))
            #expect(try await open().group(group.key)?.apps == [other.id])
        },
    ]
}
