import CallbackMatrix
import Foundation
import PushDevice
import Testing

@Suite("Callback matrix: every row of the file")
@MainActor
struct MatrixFileTests {
    @Test("Each row calls what it lists, and leaves what it says", arguments: MatrixCase.all(iOS: 17))
    func row(_ row: MatrixCase) async {
        let outcome = await MatrixStage(row).run()
        #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
    }

    @Test(
        "Each row calls what it lists in an app with scenes, and leaves what it says",
        arguments: MatrixCase.all(iOS: 17, hasScenes: true)
    )
    func sceneRow(_ row: MatrixCase) async {
        let outcome = await MatrixStage(row).run()
        #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
    }

    @Test(
        "The rows of launches and of the life cycle hold on each iOS with scenes, for apps with them and without",
        arguments: SystemProfile.majors.filter { $0 >= 13 },
        [true, false]
    )
    func everySystem(_ major: Int, hasScenes: Bool) async {
        let ids = ["R13-T-1", "R10-T-1", "R13-T-7", "R10-T-7"]
        let rows = MatrixCase.all(iOS: major, hasScenes: hasScenes).filter { row in
            ids.contains(row.id) || row.id.hasPrefix("A")
        }
        #expect(rows.count == 16)
        for row in rows {
            let outcome = await MatrixStage(row, system: .iOS(major)).run()
            #expect(outcome.differences(from: row) == [], Comment(rawValue: "\(row)\n\(outcome.story)"))
        }
    }

    @Test("Each row of apps with scenes holds on the first and the last iOS that has them", arguments: [13, 27])
    func sceneRows(_ major: Int) async {
        for row in MatrixCase.all(iOS: major, hasScenes: true) {
            let outcome = await MatrixStage(row, system: .iOS(major)).run()
            #expect(outcome.differences(from: row) == [], Comment(rawValue: "\(row)\n\(outcome.story)"))
        }
    }

    @Test("Before iOS 13 an app that declares scenes is called as one without", arguments: [9, 10, 12])
    func scenesTooEarly(_ major: Int) async throws {
        let rows = MatrixCase.all(iOS: major, hasScenes: true)
        #expect(rows.map(\.id) == MatrixCase.all(iOS: major).map(\.id))
        for id in ["R10-T-1", "R9-T-1", "A10-B-2"] {
            guard let row = rows.first(where: { $0.id == id }) else { continue }
            let outcome = await MatrixStage(row, system: .iOS(major)).run()
            #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
        }
    }

    @Test("Each row of apps with scenes is that of apps without, with other callbacks")
    func sceneRows() throws {
        let others = MatrixLine.all.filter { $0["os"] == "iOS 10+" }
        for line in MatrixLine.all where line["os"] == "iOS 13+" {
            let other = try #require(others.first { $0["id"] == line.idWithoutScenes }, "\(line["id"])")
            for column in Self.columns.set where column != "os" {
                #expect(line[column] == other[column], "\(line["id"]): \(column)")
            }
            for column in ["banner", "list_entry_after"] {
                #expect(line[column] == other[column], "\(line["id"]): \(column)")
            }
            for method in ["WillEnterForeground(_:)", "DidBecomeActive(_:)", "WillResignActive(_:)"] {
                #expect(!line["full_sequence"].contains("application\(method)"), "\(line["id"]): \(method)")
            }
        }
        // A row without one of its own calls no method of the life cycle, so it holds for both.
        let own = Set(MatrixLine.all.filter { $0["os"] == "iOS 13+" }.map(\.idWithoutScenes))
        for line in others where !own.contains(line["id"]) {
            let hasLifeCycle = MatrixOutcome.lifeCycle.contains { line["full_sequence"].contains($0) }
            #expect(!hasLifeCycle, "\(line["id"]) has no row for apps with scenes.")
        }
    }

    @Test("Each row of iOS 9 calls what it lists, and leaves what it says", arguments: MatrixCase.all(iOS: 9))
    func legacyRow(_ row: MatrixCase) async {
        let outcome = await MatrixStage(row, system: .iOS(9)).run()
        #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
    }

    @Test("Each row of iOS 8 calls what it lists, and leaves what it says", arguments: MatrixCase.all(iOS: 8))
    func rowOfIOS8(_ row: MatrixCase) async {
        let outcome = await MatrixStage(row, system: .iOS(8)).run()
        #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
        #expect(row.act != .reply, "Replies came with iOS 9.")
        #expect(!row.sequence.contains { $0.contains("responseInfo") }, "So did their methods.")
    }

    @Test("Each row of iOS 7 calls what it lists, and leaves what it says", arguments: MatrixCase.all(iOS: 7))
    func rowOfIOS7(_ row: MatrixCase) async {
        let outcome = await MatrixStage(row, system: .iOS(7)).run()
        #expect(outcome.differences(from: row) == [], Comment(rawValue: outcome.story))
        #expect([.none, .tap, .icon, .dismiss].contains(row.act), "Buttons came with iOS 8.")
    }

    @Test("iOS 7 and 8 have the rows of iOS 9 without buttons and replies")
    func earlierRows() {
        let counts = [7, 8, 9].map { MatrixCase.all(iOS: $0).count }
        #expect(counts[0] < counts[1] && counts[1] < counts[2], "\(counts)")
        let buttons = MatrixCase.all(iOS: 8).filter { if case .button = $0.act { true } else { false } }
        #expect(
            buttons.contains {
                $0.sequence.contains { $0.contains("handleActionWithIdentifier:for:completionHandler:") }
            }
        )
    }

    @Test(
        "Rule R1 in a case of one's own: on iOS 10 the icon takes the entry with it, on the others not",
        arguments: [9, 10, 11, 17]
    )
    func ownCase(_ major: Int) async {
        let row = MatrixCase(start: .background, payload: "alert", act: .icon, iOS: major)
        let outcome = await MatrixStage(row, system: .iOS(major)).run()
        #expect(outcome.listed.isEmpty == (major == 10), Comment(rawValue: outcome.story))
    }

    @Test("A row that says something else is told apart")
    func difference() async throws {
        var row = try #require(MatrixCase.all(iOS: 17).first { $0.act == .tap && $0.start == .background })
        row.sequence.removeLast()
        row.hasBanner = false
        let outcome = await MatrixStage(row).run()
        #expect(outcome.differences(from: row).count == 2)
    }

    /// The columns that a run is set up from, those that its outcome is compared with, and the remarks about a row.
    private static let columns = (
        set: [
            "os", "source", "app_state", "terminated_by", "un_delegate", "payload_kind", "bg_mode_remote_notification",
            "user_action",
        ],
        compared: ["notification_callbacks", "full_sequence", "launch_options", "banner", "list_entry_after"],
        remarks: ["explained_in", "apple_or_other", "implement", "confidence", "notes"]
    )

    @Test("Each column sets a run up, is compared with its outcome, or is a remark with the words of its own")
    func everyColumn() throws {
        let names = try #require(MatrixLine.columns)
        #expect(names == ["id"] + Self.columns.set + Self.columns.compared + Self.columns.remarks)
        #expect(names.count == 19)
        for line in MatrixLine.all {
            let id = line["id"]
            let isEarly = line["os"] == "iOS 9"
            let source = line["source"]
            let number = ["iOS 9": "9-", "iOS 10+": "10", "iOS 13+": "13"][line["os"]] ?? "another system"
            let letter = ["local": "L", "remote": "R", "none": "A"][source] ?? "another source"
            #expect(id.hasPrefix("\(letter)\(number)"), "\(id): os and source")
            for kind in ["local", "none"] {
                #expect((source == kind) == (line["payload_kind"] == kind), "\(id): payload")
            }
            #expect((line["bg_mode_remote_notification"] == "n/a") == (source != "remote"), "\(id): background mode")
            #expect((line["un_delegate"] == "n/a") == isEarly, "\(id): delegate")
            #expect((line["terminated_by"] == "n/a") == (line["app_state"] != "terminated"), "\(id): terminated by")
            #expect(["apple", "field"].contains { line["implement"].hasPrefix($0) }, "\(id): implement")
            #expect(["high", "medium", "low"].contains(line["confidence"]), "\(id): confidence")
        }
    }

    @Test("The table's rows are all there")
    func count() throws {
        let lines = MatrixLine.all
        #expect(lines.count == 156)
        let scenes = MatrixCase.all(iOS: 17, hasScenes: true)
        let rows = ([9, 17].flatMap { MatrixCase.all(iOS: $0) } + scenes).map(\.id)
        #expect(Set(rows) == Set(lines.map { $0["id"] }))
    }
}
