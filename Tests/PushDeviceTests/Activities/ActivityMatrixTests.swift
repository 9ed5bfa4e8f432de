import CallbackMatrix
import Testing

@Suite("The matrix of Live Activities and their pushes")
@MainActor
struct ActivityMatrixTests {
    @Test("Each row ends as it says", arguments: ActivityMatrixCase.all)
    func row(_ row: ActivityMatrixCase) async throws {
        let outcome = try await ActivityMatrixStage(row).run()
        #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
    }

    @Test("Every state of an activity meets every push in every state of the app, once")
    func complete() {
        let cases = ActivityMatrixCase.all.map { "\($0.activity) \($0.push) \($0.app)" }
        #expect(Set(cases).count == cases.count, "No case is there twice.")
        let all = ActivityMatrixCase.ActivityStart.allCases.flatMap { activity in
            ActivityMatrixCase.Push.allCases.flatMap { push in
                ["foreground", "background", "terminatedBySystem", "forceQuit"].map { "\(activity) \(push) \($0)" }
            }
        }
        #expect(Set(all).symmetricDifference(cases).sorted() == [])
    }

    @Test("A row that says something else is told apart")
    func difference() async throws {
        var row = try #require(ActivityMatrixCase.all.first { $0.activity == .active && $0.push == .update })
        row.expected.states = "ended"
        row.expected.verdict = "lost"
        let outcome = try await ActivityMatrixStage(row).run()
        #expect(outcome.differences(from: row).count == 2)
    }
}
