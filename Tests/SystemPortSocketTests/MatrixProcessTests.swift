import CallbackMatrix
import Foundation
import PushDevice
import TestSupport
import Testing

@Suite(
    "Callback matrix: every row, with app and service extension as processes of their own",
    .suiteLimit
)
struct MatrixProcessTests {
    static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "MatrixProgram")

    @Test("Each row calls what it lists, and leaves what it says", arguments: [(17, false), (17, true), (9, false)])
    func rows(iOS major: Int, hasScenes: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            for (number, row) in MatrixCase.all(iOS: major, hasScenes: hasScenes).enumerated() {
                // So many at once as keep the machine busy.
                if number >= 6 { await group.next() }
                group.addTask { await check(row, iOS: major) }
            }
        }
    }

    @MainActor
    private func check(_ row: MatrixCase, iOS major: Int) async {
        let outcome = await MatrixStage(row, system: .iOS(major), program: Self.program).run()
        let differences = outcome.differences(from: row)
        #expect(differences == [], Comment(rawValue: "\(row)\n\(outcome.story)"))
    }
}
