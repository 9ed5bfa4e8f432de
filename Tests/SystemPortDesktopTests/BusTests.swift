import Foundation
import Synchronization
import SystemPort
import SystemPortDesktop
import TestSupport
import Testing

@Suite(
    "The desktop over D-Bus",
    .enabled(if: PrivateBus.program != nil, "dbus-daemon is not installed: package dbus-daemon")
)
struct BusTests {
    /// Receives the events of an app.
    private final class Events: AppEndpoint {
        private let all = Mutex<[SystemEvent]>([])
        var responses: [ResponseRecord] {
            all.withLock { $0.compactMap { if case .didReceive(let response) = $0.kind { response } else { nil } } }
        }

        func deliver(_ event: SystemEvent, reply: @escaping @Sendable (EventReply) -> Void) {
            all.withLock { $0.append(event) }
            reply(.returned)
        }

        func terminate() {}
    }

    private static func withBus(_ body: (PrivateBus, DesktopEnvironment) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let bus = try PrivateBus(in: folder)
            defer { bus.stop() }
            try await body(bus, bus.environment(in: folder))
        }
    }

    private static func request(_ identifier: String, after seconds: Double? = nil) -> RequestRecord {
        var content = ContentRecord()
        content.title = identifier
        content.body = "ready"
        content.categoryIdentifier = "TEA"
        return RequestRecord(
            identifier: identifier,
            content: content,
            trigger: seconds.map { .timeInterval($0, repeats: false) }
        )
    }

    private static var category: CategoryRecord {
        var reply = ActionRecord(identifier: "REPLY", title: "Reply", options: 0)
        reply.textInput = TextInputRecord(buttonTitle: "Send", placeholder: "")
        let actions = [ActionRecord(identifier: "SNOOZE", title: "Snooze", options: 0), reply]
        return CategoryRecord(identifier: "TEA", actions: actions, intentIdentifiers: [], options: 0)
    }

    private static func prepare(_ port: DesktopPort) {
        #expect(port.read(.requestAuthorization(options: 7)) == .authorization(granted: true))
        #expect(port.read(.setCategories([category])) == .done)
    }

    @Test("A program without the service shows its notifications itself, and hears what the user does")
    func alone() async throws {
        try await Self.withBus { bus, environment in
            let server = try ScriptedServer(on: bus.address)
            defer { server.stop() }
            let port = DesktopPort(environment)
            defer { port.close() }
            let events = Events()
            port.serve(events)
            Self.prepare(port)
            #expect(port.read(.add(Self.request("a"))) == .done)
            try await eventually("the server has shown it") { server.shown.count == 1 }
            let shown = server.shown[0]
            #expect(shown.summary == "a" && shown.body == "ready")
            #expect(
                shown.actions.count == 6 && shown.actions.contains("action:SNOOZE")
                    && shown.actions.contains("inline-reply")
            )
            server.act("action:SNOOZE", on: shown.id)
            try await eventually("the app has heard of the button") { events.responses.count == 1 }
            #expect(events.responses[0].actionIdentifier == "SNOOZE")
            #expect(port.read(.add(Self.request("b"))) == .done)
            try await eventually("the server has shown the second one") { server.shown.count == 2 }
            server.reply("yes", to: server.shown[1].id)
            try await eventually("the app has heard of the text") { events.responses.count == 2 }
            #expect(events.responses[1].userText == "yes" && events.responses[1].actionIdentifier == "REPLY")
            #expect(port.read(.deliveredNotifications) == .notifications([]))
        }
    }

    @Test("A due notification is shown by the alarm, replaced by its identifier, and removed")
    func alarm() async throws {
        try await Self.withBus { bus, environment in
            let server = try ScriptedServer(on: bus.address)
            defer { server.stop() }
            let port = DesktopPort(environment)
            defer { port.close() }
            Self.prepare(port)
            #expect(port.read(.add(Self.request("a", after: 0.05))) == .done)
            try await eventually("the server has shown it") { server.shown.count == 1 }
            let id = server.shown[0].id
            // The id comes with the server's answer.
            try await eventually("the answer has arrived") {
                guard case .notifications(let records) = port.read(.deliveredNotifications) else { return false }
                return records.map(\.identifier) == ["a"]
            }
            #expect(port.read(.add(Self.request("a"))) == .done)
            try await eventually("the server has replaced it") { server.shown.count == 2 }
            #expect(server.shown[1].replaced == id)
            #expect(port.read(.removeDelivered(identifiers: ["a"])) == .done)
            // Once, whether the answer to the replacement comes before the removal or after it.
            try await eventually("the server has closed it") { server.closed == [id] }
        }
    }

    @Test("The service keeps requests over its own restarts, and starts with what is due")
    func restart() async throws {
        try await Self.withBus { bus, environment in
            let first = try DesktopService(environment)
            let port = DesktopPort(environment)
            Self.prepare(port)
            #expect(port.read(.add(Self.request("soon", after: 0.05))) == .done)
            #expect(port.read(.add(Self.request("later", after: 3600))) == .done)
            port.close()
            first.stop()
            let server = try ScriptedServer(on: bus.address)
            defer { server.stop() }
            let second = try await eventual("the name is free") { try? DesktopService(environment) }
            defer { second.stop() }
            try await eventually("what was due is shown") { server.shown.map(\.summary) == ["soon"] }
            let again = DesktopPort(environment)
            defer { again.close() }
            guard case .requests(let pending) = again.read(.pendingRequests) else {
                Issue.record("\(again.read(.pendingRequests))")
                return
            }
            #expect(pending.map(\.identifier) == ["later"])
            let events = Events()
            again.serve(events)
            #expect(
                again.read(.categories) == .categories([Self.category]),
                "The call comes after the one that attaches."
            )
            server.act("default", on: server.shown[0].id)
            try await eventually("the app has heard of the click") { events.responses.count == 1 }
            #expect(events.responses[0].actionIdentifier == ResponseRecord.defaultAction)
        }
    }

    @Test("A notification waits for a server that comes later")
    func laterServer() async throws {
        try await Self.withBus { bus, environment in
            let port = DesktopPort(environment)
            defer { port.close() }
            Self.prepare(port)
            #expect(port.read(.add(Self.request("a"))) == .done)
            let server = try ScriptedServer(on: bus.address)
            defer { server.stop() }
            try await eventually("the server has shown it") { server.shown.map(\.summary) == ["a"] }
        }
    }

    @Test("A server that takes another's place while that one is asked what it is gets what waits")
    func replacedServer() async throws {
        try await Self.withBus { bus, environment in
            let port = DesktopPort(environment)
            defer { port.close() }
            Self.prepare(port)
            #expect(port.read(.add(Self.request("a"))) == .done)
            let successor = Mutex<ScriptedServer?>(nil)
            defer { successor.withLock(\.self)?.stop() }
            let server = try BusConnection(bus.address) { event in
                if case .call(let call) = event, call.member == "GetServerInformation" {
                    successor.withLock { $0 = $0 ?? (try? ScriptedServer(on: bus.address, replacing: true)) }
                }
                // An error, after the successor has the name.
                return nil
            }
            defer { server.close() }
            let allowReplacement: UInt32 = 1
            _ = try server.ask(.bus("RequestName", [.string(NotificationServer.busName), .uint32(allowReplacement)]))
            try await eventually("the successor has shown it") {
                successor.withLock(\.self)?.shown.map(\.summary) == ["a"]
            }
        }
    }

    @Test("Two processes cannot show one app's notifications without the service, and the second one says what to do")
    func twoProcesses() async throws {
        try await Self.withBus { _, environment in
            let one = DesktopPort(environment)
            let two = DesktopPort(environment)
            defer { one.close() }
            Self.prepare(one)
            guard case .failed(let error) = two.read(.pendingRequests) else {
                Issue.record("The second one has answered.")
                return
            }
            #expect(error.text.contains("posthorn desktop install"))
        }
    }

    @Test("Without a bus each call fails with the reason")
    func noBus() {
        let port = DesktopPort(DesktopEnvironment(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"]))
        guard case .failed(let error) = port.read(.pendingRequests) else {
            Issue.record("There is an answer.")
            return
        }
        #expect(error.text.contains("session bus") && error.text.contains("/nowhere/bus"))
    }

    @Test("A badge is broadcast for launchers")
    func badge() async throws {
        try await Self.withBus { bus, environment in
            let folder = environment.dataFolder.appendingPathComponent("applications")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let entry = "[Desktop Entry]\nType=Application\nName=Tea\nExec=tea\n"
            let file = folder.appendingPathComponent("org.example.Tea.desktop")
            try entry.write(to: file, atomically: true, encoding: .utf8)
            let server = try ScriptedServer(on: bus.address)
            defer { server.stop() }
            let port = DesktopPort(environment)
            defer { port.close() }
            Self.prepare(port)
            #expect(port.read(.setBadge(3)) == .done)
            try await eventually("launchers hear of it") { !server.badges.isEmpty }
            #expect(server.badges.first == .string("application://org.example.Tea.desktop"))
            #expect(server.badges.last == .options(["count": .int64(3), "count-visible": .boolean(true)]))
        }
    }
}
