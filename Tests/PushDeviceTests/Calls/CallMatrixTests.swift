import CallbackMatrix
import PushDevice
import TestSupport
import Testing

@Suite("The matrix of VoIP pushes and calls")
@MainActor
struct CallMatrixTests {
    @Test("Each row ends as it says", arguments: CallMatrixCase.all)
    func row(_ row: CallMatrixCase) async {
        let outcome = await CallMatrixStage(row).run()
        #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
    }

    @Test("No case has two rows, each has a source, and each version exists")
    func table() {
        let cases = CallMatrixCase.all
        let names = cases.map { "\($0)".split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(Set(names).count == names.count && cases.count > 100)
        #expect(cases.allSatisfy { !$0.source.isEmpty && SystemProfile.exists($0.system) })
    }

    @Test("The guide says how many cases there are", arguments: ["", "zh-Hans/"])
    func guide(_ folder: String) throws {
        let page = try ProjectFolder.text(of: "Documentation/Guide/\(folder)CallsWithPushKit.md")
        #expect(page.contains("\n\(CallMatrixCase.all.count) cases, 0 differ from the table\n"))
    }

    @Test("A row that says something else is told apart")
    func difference() async throws {
        var row = try #require(CallMatrixCase.all.first { $0.expected.result == "rings" })
        row.expected.result = "not due"
        row.expected.hears = []
        #expect(await CallMatrixStage(row).run().differences(from: row).count == 2)
    }
}
