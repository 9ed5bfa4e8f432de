import Foundation
import PosthornTesting
import PushDevice
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("Calls of an app in a process of its own", .timeLimit(.minutes(2)))
struct CallProcessTests {
    private final class Stage: Sendable {
        let phone = TestPhone()
        let app: InstalledApp
        private let printed = Mutex<[String]>([])

        init() throws {
            let (executable, info) = OrdersStage.program("CallsApp")
            let program = try ProgramApp(executable: executable, info: info)
            app = program.app
            phone.device.install(program) { [weak self] line in self?.printed.withLock { $0.append(line) } }
        }

        var lines: [String] { printed.withLock(\.self) }

        func prints(_ line: String) async throws {
            try await eventually("'\(line)' is printed") { lines.contains("CallsApp: \(line)") }
        }
    }

    private static let uuid = "11111111-1111-4111-8111-111111111111"

    @Test("A VoIP push starts the process in the background; it reports a call, which a person answers and ends")
    func answered() async throws {
        let stage = try Stage()
        let push = await stage.phone.push(voIP: ["uuid": .string(Self.uuid)], to: stage.app)
        try await stage.prints("reported a call")
        #expect(stage.lines.contains { $0.hasSuffix("in background") })
        #expect(stage.phone.ringingCall?.name == "Ann")
        try await stage.phone.answerCall()
        try await stage.prints("talks")
        #expect(stage.phone.calls.map(\.state) == [.active])
        try await stage.phone.endCall()
        try await eventually("the call has ended") { stage.phone.calls.isEmpty }
        #expect(Verdict(stage.phone.journeys.events(of: push)).sentence.hasSuffix("and the user answered"))
        try await stage.prints("token of 32 bytes")
    }

    @Test("A process that reports no call is ended, with the message of a phone")
    func unreported() async throws {
        let stage = try Stage()
        let push = await stage.phone.push(voIP: ["text": "hello"], to: stage.app)
        try await eventually("the app has ended") {
            stage.phone.device.condition(of: stage.app.bundleID) == .notRunning
        }
        let verdict = Verdict(stage.phone.journeys.events(of: push))
        #expect(verdict.state == .crashed && verdict.sentence.contains("never posted an incoming call"))
    }
}
