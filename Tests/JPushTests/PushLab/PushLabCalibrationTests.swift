import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushLab
import PushLabNotificationService
import PushModel
import TestSupport
import Testing
import UIKit

@Suite("PushLab beside the callback matrix", .suiteLimit)
@MainActor
struct PushLabCalibrationTests {
    @Test("The rows of the page, recorded on an emulated iPhone, agree with the matrix", arguments: [10, 26])
    func rows(_ major: Int) async throws {
        let run = try await Self.record(CalibrationStep.all, on: major)
        let comparison = try #require(PhoneComparison(run))
        #expect(comparison.system == SystemProfile.iOS(major).version)
        let tried = comparison.rows.filter { $0.found != nil }
        #expect(Set(tried.map(\.name)) == Set(CalibrationStep.all.map(\.name)))
        for row in tried { #expect(row.found == row.expected, "\(row.name)") }
    }

    @Test("The page has each row of the matrix that the app can be in, as it stands there")
    func table() {
        let cases = MatrixCase.all(iOS: 17).filter {
            $0.delegate == .complete && $0.permission == .granted && $0.hasBackgroundMode && $0.hasNotification
        }
        for step in CalibrationStep.all {
            let row = cases.first { $0.id == step.row && $0.start.rawValue == step.start.rawValue }
            #expect(row?.payload == step.payload, "\(step.name)")
            let acts = cases.filter { $0.id == step.row }.map { Self.act(of: $0) }
            #expect(acts.contains(step.act), "\(step.name)")
        }
        let missing = Set(cases.map { "\($0.id) \($0.start)" }).subtracting(CalibrationStep.all.map(\.name))
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test("Another state, another order and a missing call differ, and only they")
    func deviations() async throws {
        let names = ["R10-F-1 foreground", "R10-B-2 background", "R10-T-1 forceQuit", "R10-T-5 terminatedBySystem"]
        var run = try await Self.record(CalibrationStep.all.filter { names.contains($0.name) }, on: 17)
        func change(_ name: String, _ body: (inout [RunFile.Entry]) -> Void) throws {
            let first = try #require(run.entries.firstIndex { $0.event == "row" && $0.detail == name })
            let last = try #require(run.entries.firstIndex { $0.event == "rowEnded" && $0.detail == name })
            var entries = Array(run.entries[first...last])
            body(&entries)
            run.entries.replaceSubrange(first...last, with: entries)
        }
        try change("R10-F-1 foreground") { entries in entries.removeAll { $0.event == "callback" } }
        try change("R10-T-1 forceQuit") { entries in
            for index in entries.indices where entries[index].event == "launchOptions" {
                entries[index].detail = "[.remoteNotification: userInfo]"
            }
        }
        try change("R10-T-5 terminatedBySystem") { entries in
            for index in entries.indices where entries[index].state == "inactive" { entries[index].state = "active" }
        }
        let rows = try #require(PhoneComparison(run)).rows
        let different = rows.filter { $0.found != nil && $0.found != $0.expected }
        #expect(different.map(\.name) == ["R10-F-1 foreground", "R10-T-1 forceQuit", "R10-T-5 terminatedBySystem"])
        #expect(different.first?.found == ["callbacks": "none"])
        #expect(different.dropFirst().first?.found?["launch options"] == "[.remoteNotification: userInfo]")
        #expect(rows.first { $0.name == "R10-X-1 foreground" }?.note == "not tried: needs an app without permission")
    }

    @Test("A recording of an app without scenes, as PushLab was, is compared with the rows of such apps")
    func withoutScenes() async throws {
        let names = [
            "R10-B-2 background", "R10-T-1 forceQuit", "R10-T-4 terminatedBySystem", "R10-T-5 terminatedBySystem",
        ]
        var run = try await Self.record(CalibrationStep.all.filter { names.contains($0.name) }, on: 12)
        #expect(!run.entries.contains { $0.detail.hasPrefix("scene") })
        run.system = "17.0"
        let rows = try #require(PhoneComparison(run)).rows.filter { $0.found != nil }
        #expect(rows.map(\.name) == names)
        for row in rows { #expect(row.found == row.expected, "\(row.name)") }
        let tap = rows.first { $0.name == "R10-T-1 forceQuit" }
        #expect(tap?.expected["launch options"] == "[.remoteNotification: userInfo]")
    }

    @Test("The cause of a scene's connection is compared, and no other text of the recording gets into the comparison")
    func connection() async throws {
        let step = try #require(CalibrationStep.all.first { $0.name == "R10-T-1 forceQuit" })
        var run = try await Self.record([step], on: 26)
        let cause = try #require(run.entries.firstIndex { $0.event == "connectionOptions" })
        #expect(run.entries[cause].detail == "notificationResponse")
        for (detail, shown) in [("nothing", "[nothing]"), ("9f86d081", "[another cause]")] {
            run.entries[cause].detail = detail
            let row = try #require(PhoneComparison(run)?.rows.first { $0.found != nil })
            #expect(row.found != row.expected)
            #expect(row.found?["callbacks"]?.contains("scene(_:willConnectTo:options:)@inactive\(shown)") == true)
        }
    }

    @Test("The recording has no token, id or address, and the comparison no text that is not the matrix's")
    func secrets() async throws {
        let step = try #require(CalibrationStep.all.first { $0.row == "R10-T-1" })
        var run = try await Self.record([step], on: 17)
        let text = String(decoding: try run.data, as: UTF8.self)
        for secret in ["com.example", "19d1", "Shop", TestService.url, "token"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        let secret = "9f86d081884c7d659a2feaa0c55ad015"
        run.phone = secret
        run.system += ".\(secret)"
        for index in run.entries.indices where !["row", "rowEnded"].contains(run.entries[index].event) {
            run.entries[index].detail += secret
            run.entries[index].app = secret
            run.entries[index].notification = secret
            if run.entries[index].state != nil { run.entries[index].state = secret }
        }
        let comparison = try #require(PhoneComparison(run))
        #expect(!"\(comparison)".contains(secret))
        let found = comparison.rows.compactMap(\.found)
        #expect(found.count == 1)
        #expect(found.first?["callbacks"]?.contains("another method@another state") == true)
    }

    @Test("A run that was not recorded for a comparison has nothing to compare")
    func otherRun() async {
        let stage = await LabStage(17)
        await stage.push()
        #expect(PhoneComparison(stage.phone.runFile) == nil)
    }

    @Test("With the master secret the service pushes 15 seconds after the beginning of a row")
    func schedule() async throws {
        try await withTemporaryFolder { folder in
            let (bodies, sent) = AsyncStream.makeStream(of: Data.self)
            let stage = await LabStage(17, folder: folder, schedule: { sent.yield($0) })
            let lab = try stage.lab
            try await eventually("the app has a registration id") { lab.registrationID != nil }
            try await Self.select(1, in: 1, on: stage)
            #expect(stage.phone.alert?.message.contains("it comes after 15 seconds") == true)
            try await stage.phone.tapAlertButton("Begin")
            var first = bodies.makeAsyncIterator()
            let body = try JSONValue(parsing: try #require(await first.next())).object
            // Noon in Greenwich is eight in the evening in China.
            #expect(body?["trigger"] == ["single": ["time": "2025-03-10 20:00:15"]])
            let push = body?["push"]?.object
            #expect(push?["audience"] == ["registration_id": ["19d1"]])
            #expect(push?["options"] == ["apns_production": false])
        }
    }

    // MARK: The person

    /// Walks through rows of the page on an emulated iPhone, and exports the recording.
    private static func record(_ steps: [CalibrationStep], on major: Int) async throws -> RunFile {
        try await withTemporaryFolder { folder in
            let stage = await LabStage(major, appKey: nil, folder: folder, serviceExtension: { NotificationService() })
            for step in steps {
                // What the app learns of the service extension without a call about its notification is in the Notification Centre, which
                // iOS 10 clears.
                if step.payload.contains("mutable-content") { stage.phone.device.setClearsDeliveredOnActivation(false) }
                try await perform(step, on: stage)
                stage.phone.device.setClearsDeliveredOnActivation(major == 10)
            }
            return try await stage.inside { try RunFile(reading: Data(contentsOf: try $0.exportCalibration())) }
        }
    }

    private static func perform(_ step: CalibrationStep, on stage: LabStage) async throws {
        let phone = stage.phone
        var isPending: Bool { !phone.device.pendingRequests(of: stage.app.bundleID).isEmpty }
        let number = try #require(CalibrationStep.all.firstIndex(of: step))
        try await select(number, in: 1, on: stage)
        #expect(phone.alert?.title == step.name)
        try await phone.tapAlertButton("Begin")
        if step.isLocal {
            // The app adds it in a task.
            try await eventually("the reminder is scheduled") { isPending }
            await phone.device.settled()
        }
        if step.start != .foreground { await phone.background(stage.app) }
        if step.start == .terminatedBySystem { await phone.terminate(stage.app) }
        if step.start == .forceQuit { await phone.forceQuit(stage.app) }
        let id: String
        if step.isLocal {
            await phone.advance(by: .seconds(15))
            try await eventually("the reminder is delivered") { !isPending }
            await phone.device.settled()
            id = phone.local("calibration", of: stage.app)
        } else {
            id = await phone.push(try payload(of: step), to: stage.app)
            if step.isSlow { await phone.advance(by: .seconds(30)) }
        }
        await act(step.act, on: id, of: stage)
        await phone.open(stage.app)
        try await select(0, in: 0, on: stage)
        // The app asks for the delivered notifications in a task.
        let recorder = try stage.lab.log.recorder
        try await eventually("the row has ended") { recorder.current == nil }
    }

    private static func act(_ act: CalibrationStep.Act, on id: String, of stage: LabStage) async {
        let phone = stage.phone
        switch act {
        case .none: break
        case .tap: await phone.tap(id)
        case .icon: await phone.open(stage.app)
        case .backgroundButton: await phone.choose("ignore", on: id)
        case .foregroundButton: await phone.choose("see", on: id)
        case .reply: await phone.reply("On my way", with: "reply", to: id)
        case .dismiss, .dismissUnreported: await phone.dismiss(id)
        }
    }

    private static func select(_ row: Int, in section: Int, on stage: LabStage) async throws {
        try await stage.inside { lab in
            lab.showCalibration()
            let shown = lab.window?.rootViewController?.presentedViewController as? UINavigationController
            let page = try #require(shown?.viewControllers.first as? UITableViewController)
            page.tableView(page.tableView, didSelectRowAt: IndexPath(row: row, section: section))
        }
    }

    /// The payload that the service makes of the command's body.
    private static func payload(of step: CalibrationStep) throws -> JSONValue {
        let command = try step.curl(to: "19d1", isProduction: false)
        let body = try JSONValue(parsing: String(command.components(separatedBy: "--data '")[1].dropLast()))
        let notification = try #require(body.object?["notification"]?.object?["ios"]?.object)
        var aps: JSONObject = [:]
        if notification["alert"] != "" { aps["alert"] = notification["alert"] }
        aps["category"] = notification["category"]
        if notification["content-available"] != nil { aps["content-available"] = 1 }
        if notification["mutable-content"] != nil { aps["mutable-content"] = 1 }
        var payload = notification["extras"]?.object ?? [:]
        payload["aps"] = .object(aps)
        return .object(payload)
    }

    private static func act(of row: MatrixCase) -> CalibrationStep.Act {
        switch row.act {
        case .none: .none
        case .tap: .tap
        case .icon: .icon
        case .button(let name): name == "show" ? .foregroundButton : .backgroundButton
        case .reply: .reply
        case .dismiss: row.category == "hears" ? .dismiss : .dismissUnreported
        // The page has only rows with a notification.
        case .shortcut, .url, .leave, .swipeAway: .none
        }
    }
}
