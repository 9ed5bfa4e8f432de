import Foundation
import PosthornTesting
import PushDevice
import PushModel
import Synchronization
import SystemPort
import SystemPortSocket
import Testing

@Suite("An app's process that ends by itself", .timeLimit(.minutes(2)))
struct CrashTests {
    @Test(
        "A trap and an exit are told by their signal and status",
        arguments: [("trap", "signal"), ("exit", "status 3")]
    )
    func crash(_ order: String, _ how: String) async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let json: JSONValue = ["aps": ["content-available": 1], "atFetch": .string(order)]
        let push = await stage.phone.push(json, to: stage.app)
        await stage.ended()
        #expect(stage.verdict(push).state == .crashed)
        #expect(stage.verdict(push).sentence.contains(how))
        let process = try await stage.launched()
        #expect(OrdersStage.state(of: process) == nil, "No zombie is left.")
        // What it printed last is there before its end is.
        #expect(order == "exit" || stage.lines.contains { $0.contains("as it was told") })
    }

    @Test("One that is killed while it says something was killed, and what it printed is there before its end")
    func cutShort() async throws {
        let call = AppFrame.call(id: 1, .setBadge(1))
        let script = try ScriptedApp([call], missing: 3, then: "printf 'last words'; kill -9 $$")
        let phone = TestPhone()
        let printed = Mutex<[String]>([])
        script.install(on: phone.device) { line in printed.withLock { $0.append(line) } }
        phone.device.open(script.app.bundleID)
        let ended = await phone.device.first { if case .processEnded = $0.kind { true } else { false } }
        #expect(printed.withLock(\.self) == ["script: last words"])
        #expect(ended?.kind == .processEnded(reason: "killed by signal 9 (SIGKILL)"))
    }

    @Test("A program that is no app is told apart", arguments: ["/bin/true", "/bin/cat", "/nonexistent/app"])
    func noApp(_ path: String) async throws {
        let phone = TestPhone()
        let app = InstalledApp(bundleID: "com.example.other")
        phone.device.install(ProgramApp(app, executable: URL(filePath: path))) { _ in }
        await phone.open(app)
        var reason = ""
        let ended = await phone.device.first { if case .processEnded = $0.kind { true } else { false } }
        if case .processEnded(let words) = ended?.kind { reason = words }
        switch path {
        case "/nonexistent/app": #expect(reason == "'/nonexistent/app' cannot be started: No such file or directory.")
        default:
            #expect(reason.hasPrefix("exited with status 0 before it sent anything to its device; expected a program"))
        }
        #expect(phone.device.condition(of: app.bundleID) == .notRunning)
    }
}
