import DeviceLink
import Foundation
import PushModel
import SystemPort
import Testing

@testable import JPush

@Suite("The state of the SDK")
struct JPushStateTests {
    private static func state(_ texts: [StoreKey: String]) -> JPushState {
        var state = JPushState(random: PortRandom(port: PortReference(NoDevice.shared)), isExtension: false)
        var facts = NoDevice.shared.facts
        facts.info = ["PosthornLink": "ws://service"]
        state.loaded(Stored(texts), facts)
        state.setUp(JPushState.Setup(appKey: "key", channel: nil, environment: .development))
        _ = state.takeEffects()
        return state
    }

    private static let identity = StoredIdentity(
        installation: "i",
        appKey: "key",
        identity: SDKLinkClient.Identity(registrationID: "r", secret: "s", userID: 7)
    ).text

    @Test("A failure says why in the log", arguments: [(6002, nil), (6027, "ten devices have it")])
    func why(_ code: Int, _ message: String?) {
        var state = Self.state([.identity: Self.identity])
        state.act { $0.opened() }
        state.act { $0.received(.loggedIn) }
        _ = state.takeEffects()
        state.request(
            JPushState.Operation(request: .setAlias("tom"), limits: CallGates.Limits(gate: .alias)),
            at: Date()
        )
        if let message {
            let reply = SDKReply(code: code, message: message)
            state.act { $0.received(.reply(number: 1, reply)) }
        } else {
            state.act { $0.expired(1) }
        }
        let lines = state.effects.compactMap { effect in
            if case .log(.warning, let text) = effect { text } else { nil }
        }
        #expect(lines == ["alias-set: code \(code), \(message ?? "the service did not answer in time")."])
    }

    @Test(
        "Unreadable and older values in the store are ignored",
        arguments: ["", "[]", "{}", "x"]
    )
    func strangeStore(_ text: String) {
        let texts = Dictionary(uniqueKeysWithValues: StoreKey.allCases.map { ($0, text) })
        let state = Self.state(texts)
        #expect(state.registrationID == nil)
        #expect(state.durable.requests.isEmpty)
        #expect(state.receipts.waiting.isEmpty)
    }

    @Test("Events of an old link are ignored once the next is requested")
    func oldLink() {
        var state = Self.state([.identity: Self.identity])
        state.heard(.opened, on: 1)
        state.heard(.received(SDKFrame.loggedIn.text), on: 1)
        // To the back and to the front again, before the first link's end is heard.
        state.moved(toFront: false)
        state.moved(toFront: true)
        _ = state.takeEffects()
        state.heard(.closed("late"), on: 1)
        #expect(state.effects.isEmpty)
        state.heard(.opened, on: 2)
        let logins = state.effects.filter { if case .link(.send(.login)) = $0 { true } else { false } }
        #expect(logins.count == 1)
    }

    @Test("The position of another registration means nothing")
    func foreignPosition() {
        let position = StoredPosition(registrationID: "other", position: 5).text
        var state = Self.state([.identity: Self.identity, .position: position])
        state.act { $0.opened() }
        let logins = state.effects.compactMap { effect in
            if case .link(.send(.login(_, _, _, let position, _, _, _))) = effect {
                position.map { "\($0)" } ?? "none"
            } else {
                nil
            }
        }
        #expect(logins == ["none"])
    }

    @Test("The book of receipts remembers the last thousand, and takes an older one over")
    func book() {
        var book = PendingReceipts()
        for id in Int64(1)...1001 {
            let isNew = book.add(SDKReceipt(messageID: id, event: .received, time: 1))
            #expect(isNew)
        }
        book.settle(book.waiting)
        let first = book.add(SDKReceipt(messageID: 1, event: .received, time: 2))
        #expect(first, "The oldest is forgotten.")
        let last = book.add(SDKReceipt(messageID: 1001, event: .received, time: 2))
        #expect(!last)
        let opened = book.add(SDKReceipt(messageID: 1001, event: .opened, time: 2))
        #expect(opened)
        #expect(PendingReceipts(text: book.text) == book)
        var newer = PendingReceipts()
        _ = newer.add(SDKReceipt(messageID: 1, event: .received, time: 3))
        _ = newer.add(SDKReceipt(messageID: 2000, event: .received, time: 3))
        newer.join(book)
        #expect(newer.waiting.map(\.messageID) == [1, 1001, 2000])
    }

    @Test("Requests before registration are bounded, and of values set as a whole the last counts")
    func durable() {
        var requests = DurableRequests()
        requests.add(.setTags(["a"]), as: 1)
        requests.add(.addTags(["b"]), as: 2)
        requests.add(.setTags(["c"]), as: 3)
        requests.add(.badge(1), as: 4)
        requests.add(.badge(2), as: 5)
        #expect(requests.requests.map(\.request) == [.addTags(["b"]), .setTags(["c"]), .badge(2)])
        #expect(DurableRequests(text: requests.text).requests.map(\.request) == requests.requests.map(\.request))
        for number in Int64(6)...200 { requests.add(.addTags(["t\(number)"]), as: number) }
        #expect(requests.requests.count == 100)
        #expect(requests.requests.first?.number == 101)
    }
}
