import Foundation
import PosthornTesting
import PushClock
import PushDevice
import SystemPortConformance
import Testing

@Suite("The port over a socket keeps the contract of the port", .timeLimit(.minutes(3)))
struct PortConformanceTests {
    private static let program = OrdersStage.folder.appending(path: "ConformanceProgram")

    @Test("In a process of its own", arguments: SystemPortConformance.clauses(with: [.permission, .time, .tap]))
    func keeps(_ clause: SystemPortConformance.Clause) async throws {
        let phone = TestPhone()
        phone.device.setPrompts(.allow)
        let app = InstalledApp(bundleID: "com.example.conformance")
        var program = ProgramApp(app, executable: Self.program)
        program.environment["CONFORMANCE_CLAUSE"] = clause.testDescription
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        phone.device.install(program) { continuation.yield($0) }
        phone.device.open(app.bundleID)
        for await line in lines {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            switch words.dropFirst().first {
            case "passed": return
            case "permission": phone.device.setPrompts(words[2] == "true" ? .allow : .deny)
            case "advance": await phone.clock.advance(by: .seconds(try #require(Double(words[2]))))
            case "tap":
                let shown = phone.device.screen.list.first { $0.notification.identifier == words[2] }
                let id = try #require(shown).id
                #expect(phone.device.tap(id))
            default: throw Failure(line: line)
            }
            await phone.device.settled()
            phone.device.warnOfMemory()
        }
    }

    struct Failure: Error { var line: String }
}
