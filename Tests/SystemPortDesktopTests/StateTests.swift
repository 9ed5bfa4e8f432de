import Foundation
import PushModel
import SystemPort
import SystemPortDesktop
import Testing

@Suite("An app's notifications on the desktop")
struct StateTests {
    private static let app = "org.example.Tea"
    private static let start = Date(timeIntervalSinceReferenceDate: 1000)
    private static let server = NotificationServer(
        owner: ":1.5",
        specification: "1.2",
        capabilities: ["actions", "body", "inline-reply"]
    )

    /// A state with an app that may show notifications, and the effects so far taken out.
    private static func state(_ file: AppFile? = nil, server: NotificationServer? = server) -> DesktopState {
        var state = DesktopState(zone: .gmt)
        if let server { state.serverAppeared(server) }
        var entry = AppEntry(bundleID: app, name: "Tea")
        entry.desktopEntry = app
        entry.command = ["tea"]
        state.load(file ?? AppFile(bundleID: app, program: "/opt/tea"), as: entry)
        if file == nil {
            #expect(
                state.answer(.requestAuthorization(options: 7), of: app, at: start) == .authorization(granted: true)
            )
        }
        _ = state.takeEffects()
        return state
    }

    private static func request(
        _ identifier: String,
        after seconds: Double? = nil,
        repeats: Bool = false
    ) -> RequestRecord {
        var content = ContentRecord()
        content.title = identifier
        content.categoryIdentifier = "TEA"
        return RequestRecord(
            identifier: identifier,
            content: content,
            trigger: seconds.map { .timeInterval($0, repeats: repeats) }
        )
    }

    private static var category: CategoryRecord {
        var reply = ActionRecord(identifier: "REPLY", title: "Reply", options: 0)
        reply.textInput = TextInputRecord(buttonTitle: "Send", placeholder: "")
        return CategoryRecord(
            identifier: "TEA",
            actions: [ActionRecord(identifier: "SNOOZE", title: "Snooze", options: 0), reply],
            intentIdentifiers: [],
            options: CategoryRecord.customDismissAction
        )
    }

    /// The calls of `Notify` among the effects, with their orders.
    private static func notified(_ state: inout DesktopState) -> [(arguments: NotifyArguments, order: Int)] {
        state.takeEffects().compactMap {
            if case .notify(let arguments, let order) = $0 { (arguments, order) } else { nil }
        }
    }

    private static func add(_ request: RequestRecord, to state: inout DesktopState, at date: Date = start) {
        #expect(state.answer(.add(request), of: app, at: date) == .done)
    }

    private static func delivered(_ state: DesktopState) -> [String] {
        var state = state
        guard case .notifications(let records) = state.answer(.deliveredNotifications, of: app, at: start) else {
            return ["?"]
        }
        return records.map(\.identifier)
    }

    private static func pending(_ state: DesktopState) -> [String] {
        var state = state
        guard case .requests(let records) = state.answer(.pendingRequests, of: app, at: start) else { return ["?"] }
        return records.map(\.identifier)
    }

    private static func responses(_ effects: [DesktopEffect]) -> [(response: ResponseRecord, client: String)] {
        effects.compactMap {
            guard case .deliver(let event, _, let client) = $0, case .didReceive(let response) = event.kind else {
                return nil
            }
            return (response, client)
        }
    }

    @Test("A request without a trigger is shown at once, and replaces the one with its identifier")
    func replaces() {
        var state = Self.state()
        Self.add(Self.request("a"), to: &state)
        let first = Self.notified(&state)
        #expect(first.count == 1 && first[0].arguments.replaces == 0)
        state.shown(order: first[0].order, id: 40)
        Self.add(Self.request("b"), to: &state)
        Self.add(Self.request("a"), to: &state)
        #expect(Self.notified(&state).map(\.arguments.replaces) == [0, 40])
        #expect(Self.delivered(state) == ["a", "b"], "Newest first.")
    }

    @Test("A newer version waits for the id of the one before")
    func replacesBeforeTheID() {
        var state = Self.state()
        Self.add(Self.request("a"), to: &state)
        let first = Self.notified(&state)
        var newer = Self.request("a")
        newer.content.body = "newer"
        Self.add(newer, to: &state)
        #expect(Self.notified(&state).isEmpty)
        state.shown(order: first[0].order, id: 40)
        let second = Self.notified(&state)
        #expect(second.map(\.arguments.replaces) == [40] && second.map(\.arguments.body) == ["newer"])
    }

    @Test("A notification removed before it has an id is closed when it has one")
    func removedBeforeTheID() {
        var state = Self.state()
        Self.add(Self.request("a"), to: &state)
        let order = Self.notified(&state)[0].order
        _ = state.answer(.removeDelivered(identifiers: ["a"]), of: Self.app, at: Self.start)
        _ = state.takeEffects()
        state.shown(order: order, id: 40)
        #expect(state.takeEffects() == [.close(id: 40)])
    }

    @Test(
        "A newer version removed before the server's answer is closed once, whether the server takes or refuses it",
        arguments: [true, false]
    )
    func removedBeforeTheAnswer(isTaken: Bool) {
        var state = Self.state()
        Self.add(Self.request("a"), to: &state)
        state.shown(order: Self.notified(&state)[0].order, id: 40)
        Self.add(Self.request("a"), to: &state)
        let order = Self.notified(&state)[0].order
        _ = state.answer(.removeDelivered(identifiers: ["a"]), of: Self.app, at: Self.start)
        let early = state.takeEffects()
        if isTaken { state.shown(order: order, id: 40) } else { state.notShown(order: order, reason: BusProblem("no")) }
        #expect((early + state.takeEffects()).filter { $0 == .close(id: 40) }.count == 1)
    }

    @Test("A late answer to an older version does not close the newer one")
    func lateAnswer() {
        var state = Self.state()
        Self.add(Self.request("a"), to: &state)
        state.shown(order: Self.notified(&state)[0].order, id: 40)
        Self.add(Self.request("a"), to: &state)
        let older = Self.notified(&state)[0].order
        Self.add(Self.request("a"), to: &state)
        _ = state.takeEffects()
        state.shown(order: older, id: 40)
        #expect(state.takeEffects().isEmpty && Self.delivered(state) == ["a"])
    }

    @Test("A trigger sets the alarm, and its request is shown and saved at its date")
    func trigger() throws {
        var state = Self.state()
        Self.add(Self.request("late", after: 120), to: &state)
        Self.add(Self.request("early", after: 60), to: &state)
        #expect(Self.pending(state) == ["early", "late"])
        let due = Self.start.addingTimeInterval(60)
        #expect(state.takeEffects().contains(.alarm(due)))
        state.ring(at: due)
        let effects = state.takeEffects()
        #expect(effects.contains(.alarm(Self.start.addingTimeInterval(120))))
        let saved = effects.compactMap { if case .save(let file) = $0 { file } else { nil } }
        #expect(saved.count == 1 && saved[0].pending.map(\.request.identifier) == ["late"])
        #expect(Self.delivered(state) == ["early"])
        // The file is all that a new process needs.
        var next = Self.state(try JSONDecoder().decode(AppFile.self, from: JSONEncoder().encode(saved[0])))
        next.ring(at: Self.start.addingTimeInterval(500))
        #expect(Self.notified(&next).map(\.arguments.summary) == ["late"], "Late, but shown.")
    }

    @Test("A repeating request that was missed several times is shown once, and keeps its rhythm")
    func repeats() {
        var state = Self.state()
        Self.add(Self.request("a", after: 60, repeats: true), to: &state)
        _ = state.takeEffects()
        state.ring(at: Self.start.addingTimeInterval(200))
        let effects = state.takeEffects()
        #expect(effects.filter { if case .notify = $0 { true } else { false } }.count == 1)
        #expect(effects.contains(.alarm(Self.start.addingTimeInterval(240))))
    }

    @Test("Removing a pending request moves the alarm")
    func removePending() {
        var state = Self.state()
        Self.add(Self.request("a", after: 60), to: &state)
        _ = state.takeEffects()
        #expect(state.answer(.removePending(identifiers: ["a"]), of: Self.app, at: Self.start) == .done)
        #expect(state.takeEffects().contains(.alarm(nil)) && Self.pending(state).isEmpty)
    }

    @Test("A chosen action goes to the app's process, and closes the notification")
    func acted() {
        var state = Self.state()
        _ = state.answer(.setCategories([Self.category]), of: Self.app, at: Self.start)
        state.attach(":1.9", to: Self.app, program: "/opt/tea")
        Self.add(Self.request("a"), to: &state)
        let order = Self.notified(&state)[0].order
        state.shown(order: order, id: 40)
        _ = state.takeEffects()
        state.acted("action:SNOOZE", on: 40)
        let effects = state.takeEffects()
        #expect(effects.contains(.close(id: 40)))
        let responses = Self.responses(effects)
        #expect(responses.map(\.response.actionIdentifier) == ["SNOOZE"] && responses.map(\.client) == [":1.9"])
        #expect(Self.delivered(state).isEmpty)
        state.closed(40, reason: 2)
        #expect(state.takeEffects().isEmpty, "The server's own report about the same click is no dismissal.")
    }

    @Test("A text goes with the action that asks for it")
    func replied() {
        var state = Self.state()
        _ = state.answer(.setCategories([Self.category]), of: Self.app, at: Self.start)
        state.attach(":1.9", to: Self.app, program: "")
        Self.add(Self.request("a"), to: &state)
        state.shown(order: Self.notified(&state)[0].order, id: 40)
        state.acted("inline-reply", on: 40, text: "yes")
        let responses = Self.responses(state.takeEffects())
        #expect(
            responses.map(\.response.actionIdentifier) == ["REPLY"] && responses.map(\.response.userText) == ["yes"]
        )
    }

    @Test("An app that does not run is started with the click's token, and gets the event when it attaches")
    func launches() {
        var state = Self.state()
        Self.add(Self.request("a"), to: &state)
        state.shown(order: Self.notified(&state)[0].order, id: 40)
        _ = state.takeEffects()
        state.activationToken("token", of: 40)
        state.acted("default", on: 40)
        let tokens = state.takeEffects().compactMap { effect -> String? in
            guard case .launch(let entry, let token) = effect else { return nil }
            #expect(entry.command == ["tea"])
            return token
        }
        #expect(tokens == ["token"])
        state.attach(":1.9", to: Self.app, program: "/opt/tea")
        let responses = Self.responses(state.takeEffects())
        #expect(responses.map(\.response.actionIdentifier) == [ResponseRecord.defaultAction])
        state.detach(":1.9")
        state.attach(":1.10", to: Self.app, program: "/opt/tea")
        #expect(state.takeEffects().isEmpty, "Once.")
    }

    @Test(
        "A dismissal is an action of categories that ask for it; an expired notification stays, and others go",
        arguments: [(1, nil, ["a"]), (2, ResponseRecord.dismissAction, []), (3, nil, []), (4, nil, [])]
            as [(UInt32, String?, [String])]
    )
    func closed(_ reason: UInt32, action: String?, left: [String]) {
        var state = Self.state()
        _ = state.answer(.setCategories([Self.category]), of: Self.app, at: Self.start)
        state.attach(":1.9", to: Self.app, program: "")
        Self.add(Self.request("a"), to: &state)
        state.shown(order: Self.notified(&state)[0].order, id: 40)
        _ = state.takeEffects()
        state.closed(40, reason: reason)
        #expect(Self.responses(state.takeEffects()).map(\.response.actionIdentifier) == [action].compactMap { $0 })
        #expect(Self.delivered(state) == left)
    }

    @Test("Without a server a notification waits for one; a new server knows nothing of the old one's")
    func serverChanges() {
        var state = Self.state(server: nil)
        Self.add(Self.request("a"), to: &state)
        #expect(state.takeEffects().contains(.findServer))
        state.serverAppeared(Self.server)
        let first = Self.notified(&state)
        #expect(first.map(\.arguments.summary) == ["a"])
        state.shown(order: first[0].order, id: 40)
        state.serverVanished()
        Self.add(Self.request("b"), to: &state)
        _ = state.takeEffects()
        var other = Self.server
        other.owner = ":1.99"
        state.serverAppeared(other)
        #expect(Self.notified(&state).map(\.arguments.summary) == ["b"])
        #expect(Self.delivered(state) == ["b"])
        state.acted("default", on: 40)
        #expect(Self.responses(state.takeEffects()).isEmpty)
    }

    @Test("A refusal by the server drops the notification; a missing one keeps it")
    func refused() {
        var state = Self.state()
        Self.add(Self.request("a"), to: &state)
        let order = Self.notified(&state)[0].order
        state.notShown(order: order, reason: BusProblem(name: "org.freedesktop.DBus.Error.ServiceUnknown", "gone"))
        #expect(Self.delivered(state) == ["a"])
        state.serverAppeared(Self.server)
        let again = Self.notified(&state)[0].order
        state.notShown(order: again, reason: BusProblem(name: "org.example.Error", "too long"))
        #expect(Self.delivered(state).isEmpty)
    }

    @Test("Nothing is shown without the app's question or against the user's settings")
    func permission() {
        var state = Self.state(AppFile(bundleID: Self.app, program: ""))
        let refused = SystemReply.failed(.notificationsNotAllowed)
        #expect(state.answer(.add(Self.request("a")), of: Self.app, at: Self.start) == refused)
        var off = DesktopPolicy()
        off.isEnabled = false
        state.setPolicy(off, of: Self.app)
        #expect(
            state.answer(.requestAuthorization(options: 7), of: Self.app, at: Self.start)
                == .authorization(granted: false)
        )
        #expect(state.answer(.add(Self.request("a")), of: Self.app, at: Self.start) == refused)
        state.setPolicy(DesktopPolicy(), of: Self.app)
        Self.add(Self.request("a", after: 60), to: &state)
        state.setPolicy(off, of: Self.app)
        _ = state.takeEffects()
        state.ring(at: Self.start.addingTimeInterval(60))
        #expect(Self.notified(&state).isEmpty && Self.delivered(state).isEmpty)
    }

    @Test("A badge goes to the launcher of an app with a desktop entry")
    func badge() {
        var state = Self.state()
        #expect(state.answer(.setBadge(3), of: Self.app, at: Self.start) == .done)
        #expect(state.takeEffects().contains(.badge(3, entry: Self.app)))
        var request = Self.request("a")
        request.content.badge = 0
        Self.add(request, to: &state)
        #expect(state.takeEffects().contains(.badge(0, entry: Self.app)))
        guard case .failed(let error) = state.answer(.setBadge(-1), of: Self.app, at: Self.start) else {
            Issue.record("A negative number was accepted.")
            return
        }
        #expect(error.code == 1600)
    }

    @Test("Location triggers and other parts of iOS say that they are not there")
    func unavailable() {
        var state = Self.state()
        let shape = GeoRegion.Shape.circle(center: Coordinate(latitude: 0, longitude: 0), radius: 10)
        let region = GeoRegion(identifier: "home", shape: shape)
        var request = Self.request("a")
        request.trigger = .location(region, repeats: false)
        guard case .failed(let error) = state.answer(.add(request), of: Self.app, at: Self.start) else {
            Issue.record("A location trigger was accepted.")
            return
        }
        #expect(error.text.contains("location triggers") && error.domain == "NSCocoaErrorDomain")
        guard case .failed(let other) = state.answer(.pushKit(.desire([])), of: Self.app, at: Self.start) else {
            Issue.record("PushKit is there.")
            return
        }
        #expect(other.text.contains("pushKit"))
    }
}
