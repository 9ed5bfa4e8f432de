import CallbackMatrix
import Foundation
import Testing

@Suite("Callback matrix: every row of the file for iOS 10 and later")
@MainActor
struct MatrixFileTests {
    @Test("Each row calls what it lists, and leaves what it says", arguments: MatrixCase.all)
    func row(_ row: MatrixCase) async {
        let outcome = await MatrixStage(row).run()
        #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
    }

    @Test("A row that says something else is told apart")
    func difference() async throws {
        var row = try #require(MatrixCase.all.first { $0.act == .tap && $0.start == .background })
        row.sequence.removeLast()
        row.hasBanner = false
        let outcome = await MatrixStage(row).run()
        #expect(outcome.differences(from: row).count == 2)
    }

    @Test("The file's rows of iOS 10 and later are all there")
    func count() throws {
        let lines = MatrixLine.all
        #expect(lines.count == 114)
        let rows = Set(MatrixCase.all.map(\.id))
        let expected = Set(lines.filter { $0["os"] == "iOS 10+" }.map { $0["id"] })
        #expect(rows == expected)
    }

    @Test("The built-in table is the file")
    func table() throws {
        let url = try #require(
            Bundle.module.url(forResource: "callback-matrix", withExtension: "csv", subdirectory: "Fixtures")
        )
        let file = MatrixLine.read(try String(contentsOf: url, encoding: .utf8))
        let columns = ["id", "os", "full_sequence", "launch_options", "banner", "list_entry_after", "user_action"]
        for column in columns { #expect(file.map { $0[column] } == MatrixLine.all.map { $0[column] }) }
    }
}
