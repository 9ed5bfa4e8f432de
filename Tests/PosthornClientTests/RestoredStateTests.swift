import Foundation
import TestSupport
import Testing

@testable import PosthornClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("State that is another phone's, or in another place")
struct RestoredStateTests {
    private func set(_ text: String, for key: String, in store: some StateStore) {
        store.set(Data(text.utf8), for: key) { _ in }
    }

    private func check(_ store: some StateStore, _ phone: some StateStore, _ mark: String) throws -> [String] {
        let lines = Guarded<[String]>([])
        let check = InstallationMark(store: store, phone: phone) { line in lines.with { $0.append(line) } }
        try check.check(orElse: mark)
        return lines.with { $0 }
    }

    @Test("A state of this phone stays, one of another phone goes, and one from before there were marks is marked")
    func marks() throws {
        let (store, phone, other) = (EngineStage(), EngineStage(), EngineStage())
        set("state", for: "state", in: store)
        #expect(try check(store, phone, "one") == [])
        #expect(try check(store, phone, "two") == [])
        #expect(try store.keys() == ["mark", "state"])
        #expect(phone.values == ["mark": Data("one".utf8)])
        set("queue", for: "queue", in: store)
        #expect(try check(store, other, "three").count == 1)
        #expect(store.values == ["mark": Data("three".utf8)] && other.values == store.values)
        // The app was removed, and the Keychain was not.
        let empty = EngineStage()
        #expect(try check(empty, other, "four") == [])
        #expect(empty.values == other.values)
    }

    @Test("A process that dies between two writes leaves no state of another phone behind")
    func dies() throws {
        for writes in 0...5 {
            let (store, phone) = (EngineStage(), EngineStage())
            for key in ["mark", "queue", "state"] { set(key, for: key, in: store) }
            store.setWrites(writes)
            _ = try check(store, phone, "new")
            store.setWrites(nil)
            _ = try check(store, phone, "newer")
            #expect(try store.keys() == ["mark"], "after \(writes) writes")
            #expect(phone.values == store.values)
        }
        // What the next registration needs stays.
        for writes in 0...5 {
            let (store, phone) = (EngineStage(), EngineStage())
            let before = #"{"appKey":"key","installation":"one","registration":{"id":"1a","secret":"s"}}"#
            for (key, text) in [("mark", "old"), ("queue", "queue"), ("state", before)] {
                set(text, for: key, in: store)
            }
            store.setWrites(writes)
            _ = try check(store, phone, "new")
            store.setWrites(nil)
            _ = try check(store, phone, "newer")
            let state = try StoredParts(from: store) { Issue.record("\($0)") }.state
            #expect(state?.registration == nil && state?.former == Registration(id: "1a", secret: "s"))
        }
    }

    @Test("A phone that is still locked has to be waited for; one without a Keychain has its state")
    func locked() throws {
        let (store, phone) = (EngineStage(), EngineStage())
        for key in ["mark", "state"] { set(key, for: key, in: store) }
        phone.setLocked(true)
        #expect(throws: CocoaError.self) { try check(store, phone, "new") }
        #expect(try check(store, NoStore(), "new").count == 1)
        #expect(try store.keys() == ["mark", "state"])
    }

    @Test("A phone whose Keychain cannot be written says so, and keeps its state")
    func full() throws {
        let (store, phone) = (EngineStage(), EngineStage())
        set("state", for: "state", in: store)
        phone.setWrites(0)
        #expect(try check(store, phone, "new").first?.contains("cannot be stored") == true)
        #expect(try store.keys() == ["state"])
    }

    @Test("A client begins anew with the state of another phone")
    func client() throws {
        let (stage, phone) = (EngineStage(), EngineStage())
        for text in [#""first""#, #""first""#] {
            let client = try stage.client(on: phone)
            client.start()
            if stage.sent.last == "POST registrations" { stage.answer(EngineStage.registered) }
            stage.answer("{}")
            #expect(client.currentRegistration?.id == "id", "\(text)")
        }
        #expect(stage.sent.filter { $0 == "POST registrations" }.count == 1)
        let restored = try stage.client(on: EngineStage())
        #expect(restored.currentRegistration == nil)
        restored.start()
        #expect(stage.sent.last == "POST registrations")
        let body = stage.takeRequest()?.0.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(body.contains(#""former_id":"id","former_secret":"s""#), "It names the identity of the other phone.")
    }

    // MARK: The digest of the token

    @Test("The client's digest of a token is the service's")
    func digest() {
        #expect(DeviceValues.digest(of: "00") == "7fc1807b4bd222d")
        #expect(DeviceValues.digest(of: "AB") == DeviceValues.digest(of: "ab"))
    }

    @Test("Of two phones with one identity, the one that sees the other's token registers as a new device")
    func twoPhones() {
        var first = ClientStage()
        first.start()
        first.run { $0.change { $0.token = "aa" } }
        first.run { $0.request(.setBadge(1), caller: nil) }
        var second = first
        second.relaunch()
        second.start()
        #expect(second.identities.count == 2)
        second.run { $0.change { $0.token = "bb" } }
        first.service = second.service
        first.relaunch()
        first.faults = [.updated(hasToken: true, isPushOn: true, tokenDigest: DeviceValues.digest(of: "bb"))]
        first.run { $0.request(.setBadge(2), caller: nil) }
        first.start()
        let devices = first.service.devices.values.sorted { $0.id < $1.id }
        #expect(devices.map(\.values.token) == ["bb", "aa"])
        #expect(devices.map(\.badge) == [1, 2], "What waits goes with the phone.")
        #expect(first.log.contains { $0.contains("another phone's token") })
    }

    @Test("A token whose answer was lost is not taken for another phone's")
    func lostAnswer() {
        var stage = ClientStage()
        stage.start()
        stage.run { $0.change { $0.token = "aa" } }
        stage.diesAt = stage.steps + 4
        stage.run { $0.change { $0.token = "bb" } }
        #expect(stage.isDead && stage.service.devices["one"]?.values.token == "bb")
        stage.relaunch()
        stage.start()
        stage.run { $0.change { $0.token = "aa" } }
        #expect(
            stage.calls.last == .update(stage.client.saved.wanted ?? ClientStage.values, from: nil)
                || stage.service.devices["one"]?.values.token == "aa"
        )
        #expect(stage.service.devices.count == 1)
    }

    @Test("The diagnosis says that another phone gets the pushes, and whether the extension has ever reported")
    func diagnosis() throws {
        var values = ClientStage.values
        values.token = "aa"
        let body = #"{"cause":"well","facts":{"token_digest":"\#(DeviceValues.digest(of: "bb"))"}}"#
        var found = try #require(Diagnosis(Data(body.utf8)))
        let isAnothers = found.complete(for: values, in: "zh-Hans", extensionLastSeen: Date())
        #expect(isAnothers)
        #expect(found.cause == "other_phone" && found.sentence.contains("手机") && found.notes.isEmpty)
        values.token = "bb"
        found = try #require(Diagnosis(Data(body.utf8)))
        let isStillAnothers = found.complete(for: values, in: nil, extensionLastSeen: nil)
        #expect(!isStillAnothers)
        #expect(found.cause == "well" && found.notes.first?.contains("has never reported") == true)
        for (cause, language, count) in [("well", "zh-Hans", 1), ("permission", "en", 0)] {
            found = try #require(Diagnosis(Data(#"{"cause":"\#(cause)"}"#.utf8)))
            _ = found.complete(for: values, in: language, extensionLastSeen: nil)
            #expect(found.notes.count == count)
            #expect(found.notes.allSatisfy { $0.contains("从未上报") })
        }
    }

    // MARK: Tokens and names

    @Test("A token travels apart from names: one that is refused does not cost the other")
    func apart() {
        var stage = ClientStage()
        stage.start()
        stage.faults = [.refused(PosthornError(code: 6017, message: "no such zone")), nil]
        stage.run { client in
            client.change { values in
                values.zone = "x"
                values.token = "aa"
            }
        }
        #expect(stage.service.devices["one"]?.values.token == "aa")
        let updates = stage.calls.filter { if case .update = $0 { true } else { false } }
        #expect(updates.count == 2)
    }

    @Test("Tokens travel apart from each other: one that is refused does not cost the others")
    func alone() {
        var stage = ClientStage()
        stage.start()
        stage.calls = []
        // The first activity's, after those of the device and of PushKit.
        let error = PosthornError(code: 6017, message: "no such token")
        stage.faults = [nil, nil, .refused(error)]
        stage.run { client in
            client.change(caller: 1) { values in
                values.token = "aa"
                values.voipToken = "bb"
                values.activityTokens = ["first": "01", "second": "02"]
                values.activityStartTokens = ["Ride": "03"]
            }
        }
        let members = stage.calls.map { call in
            guard case .update(let values, let known) = call else { return "\(call)" }
            return values.changes(from: known).keys.joined(separator: " ")
        }
        #expect(members == ["token", "voip_token", "activity_tokens", "activity_tokens", "activity_start_tokens"])
        let values = stage.service.devices["one"]?.values
        #expect(values?.activityTokens["second"] == "02" && values?.activityStartTokens == ["Ride": "03"])
        #expect(stage.answers.map(\.result) == [.failure(error)])
    }

    @Test("Values that the service does not take, for their length or a NUL, are not sent")
    func lengths() {
        var values = ClientStage.values
        values.channel = String(repeating: "x", count: 257)
        values.language = String(repeating: "x", count: 65)
        values.token = String(repeating: "0", count: 514)
        values.appVersion = "1\u{0}"
        values.activityTokens = [String(repeating: "a", count: 257): "00", "": "00", "a\u{0}": "00", "a": "01"]
        let members = values.changes(from: nil)
        #expect(Set(members.keys) == ["environment", "system", "zone", "activity_tokens"])
        #expect((members["activity_tokens"] as? [[String: Any]])?.count == 1)
    }

    // MARK: The App Group

    @Test("The state moves into the App Group's folder, wherever the process dies meanwhile")
    func moves() throws {
        for isHalf in [false, true] { try withTemporaryFolder { try move(in: $0, isHalf: isHalf) } }
    }

    private func move(in folder: URL, isHalf: Bool) throws {
        let former = folder.appendingPathComponent("support")
        for key in ["state", "queue", "receipts"] { set(key, for: key, in: FileStateStore(folder: former)) }
        let group = folder.appendingPathComponent("group")
        if isHalf { set("half", for: "queue", in: FileStateStore(folder: group)) }
        let store = FileStateStore(folder: group, former: former)
        #expect(try store.data(for: "state") == Data("state".utf8))
        #expect(try store.data(for: "queue") == Data("queue".utf8))
        #expect(!FileManager.default.fileExists(atPath: former.path))
        // A later version without the group, and then with it again: the state of the group counts.
        set("other", for: "state", in: FileStateStore(folder: former))
        #expect(try store.data(for: "state") == Data("state".utf8))
    }

    // MARK: The extension

    private func report(_ id: Int64, _ stage: EngineStage, _ lines: Guarded<[String]>) throws {
        var configuration = try stage.configuration()
        configuration.log = { line in lines.with { $0.append(line) } }
        ReceiptReporter(configuration).report(.received, of: id, at: Date(timeIntervalSince1970: 5)) { _ in }
    }

    @Test("An extension without the app's state writes nothing, and says so once; with it at most 200 receipts wait")
    func extensionBound() throws {
        let (stage, lines) = (EngineStage(), Guarded<[String]>([]))
        for id in 1...2 { try report(Int64(id), stage, lines) }
        #expect(stage.values.isEmpty && stage.sent.isEmpty)
        #expect(lines.with { $0 }.count <= 1)
        let client = try stage.client()
        client.start()
        stage.answer(EngineStage.registered)
        #expect(client.extensionLastSeen == nil)
        for id in 1...210 { try report(Int64(id), stage, lines) }
        #expect(try stage.keys().filter { $0.hasPrefix("receipt-") }.count == 200)
        #expect(stage.sent.filter { $0 == "POST receipts" }.count == 210, "All are sent from the extension.")
        #expect(client.extensionLastSeen == Date(timeIntervalSince1970: 5))
    }

    // MARK: The network

    @Test("A network that returns ends the waits of a call and of the link")
    func network() throws {
        var stage = ClientStage()
        stage.run { $0.socket.isUsed = true }
        stage.start()
        stage.run { $0.moved(toFront: true) }
        let number = stage.client.socket.number
        stage.run { $0.socketClosed(number) }
        #expect(stage.client.socket.phase == .waiting)
        stage.run { $0.networkReturned() }
        #expect(stage.client.socket.phase == .opening)

        let (engine, returns) = (EngineStage(), Guarded<(@Sendable () -> Void)?>(nil))
        var configuration = try engine.configuration()
        configuration.watchNetwork = { body in returns.with { $0 = body } }
        let client = PosthornClient(configuration)
        client.start()
        engine.answer("", status: 503)
        #expect(engine.sent == ["POST registrations"])
        returns.with { $0 }?()
        #expect(engine.sent == ["POST registrations", "POST registrations"])
        _ = client
    }

    @Test("In the system's log only the client's own words are public")
    func log() {
        let (sentence, details) = SystemActivity.parts(of: "The operation 'setAlias' is refused: 'bob: x' (code 6003)")
        #expect(sentence == "The operation 'setAlias' is refused: ")
        #expect(details == "'bob: x' (code 6003)")
        #expect(SystemActivity.parts(of: "All is well.") == ("All is well.", ""))
    }
}

/// A store that is not there.
private struct NoStore: StateStore {
    private struct Missing: Error {}

    func data(for key: String) throws -> Data? { throw PosthornError(code: PosthornError.unknown, message: "none") }

    func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        done(.failure(Missing()))
    }

    func keys() throws -> [String] { [] }
}
