import CallbackMatrix
import PosthornTesting
import PushDevice
import PushModel
import TestSupport
import Testing
import UIKit

/// A combination that need not be in the matrix.
private struct Combination: Sendable, CustomTestStringConvertible {
    var seed: UInt64
    var isForceQuit = false
    var start: MatrixCase.Start
    var delegate: MatrixCase.Delegate
    var hasText: Bool
    var badge: Int?
    var sound: Bool
    var contentAvailable: Bool
    var mutable: Bool
    var hasMode: Bool
    var options: UInt
    var isLocked: Bool
    var act: Int

    var isSilent: Bool { !hasText && badge == nil && !sound }

    init(seed: UInt64) {
        var chance = SplitMixForTests(state: seed)
        self.seed = seed
        start = [.foreground, .background, .terminatedBySystem, .forceQuit][chance.below(4)]
        delegate = [.complete, .complete, .complete, .none, .withoutWillPresent][chance.below(5)]
        hasText = chance.below(3) > 0
        badge = [nil, 0, 3][chance.below(3)]
        sound = chance.below(2) == 0
        contentAvailable = chance.below(2) == 0
        mutable = chance.below(3) == 0
        hasMode = chance.below(4) > 0
        options = UInt(chance.below(32))
        isLocked = chance.below(5) == 0
        act = chance.below(5)
    }

    var json: JSONValue {
        var aps: JSONObject = ["category": "hears"]
        if hasText { aps["alert"] = "Hi" }
        if let badge { aps["badge"] = .integer(Int64(badge)) }
        if sound { aps["sound"] = "default" }
        if contentAvailable { aps["content-available"] = 1 }
        if mutable { aps["mutable-content"] = 1 }
        return ["aps": .object(aps)]
    }

    var testDescription: String { "\(seed) \(start) \(delegate) act \(act) \(json.text)" }
}

private struct SplitMixForTests {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}

@Suite("Callback matrix: rules that hold for every combination")
@MainActor
struct MatrixRuleTests {
    @Test("A silent push never shows, a force-quit app is never woken, nothing shows in front without an answer …")
    func rules() async {
        for seed in 1...rounds(200, release: 600) as ClosedRange<UInt64> { await check(Combination(seed: seed)) }
    }

    private func check(_ row: Combination) async {
        let phone = TestPhone()
        let app = row.hasMode ? InstalledApp.lab : .deaf
        let plan = MatrixAppPlan(options: UNNotificationPresentationOptions(rawValue: row.options))
        phone.install(app, serviceExtension: { TitleExtension() }) {
            switch row.delegate {
            case .complete: CompleteMatrixApp.make(plan)
            case .withoutWillPresent, .neverAnswers: HalfMatrixApp.make(plan)
            case .none, .legacy: MatrixApp.make(plan)
            }
        }
        await phone.open(app)
        if row.start != .foreground { await phone.background(app) }
        if row.start == .terminatedBySystem { await phone.terminate(app) }
        if row.start == .forceQuit { await phone.forceQuit(app) }
        if row.isLocked { await phone.perform { $0.lock() } }
        let isInFront = row.start == .foreground && !row.isLocked
        let before = phone.device.condition(of: app.bundleID)
        let begin = phone.device.recentDeviceEvents.count

        let id = await phone.push(row.json, to: app)
        let story = Comment(rawValue: "\(row)\n\(phone.story(of: id))")
        let kinds = phone.journeys.kinds(of: id)
        let shows = kinds.contains { if case .presented = $0 { true } else { false } }
        let responses = { phone.device.callbacks(from: begin).count { $0.contains("didReceive:withCompletion") } }

        if row.isSilent { #expect(!shows, story) }
        if !row.hasText { #expect(phone.device.screen.list.isEmpty && phone.device.screen.banner == nil, story) }
        if before == .forceQuit {
            #expect(phone.device.callbacks(from: begin).allSatisfy { $0.hasPrefix("UNNotificationService") }, story)
            #expect(phone.device.condition(of: app.bundleID) == .forceQuit, story)
        }
        if isInFront, row.delegate != .complete || row.options == 0 { #expect(!shows, story) }
        if !row.hasMode, !isInFront {
            #expect(!phone.device.callbacks(from: begin).contains { $0.contains("fetchCompletionHandler") }, story)
        }
        #expect(!kinds.isEmpty, story)
        #expect(responses() == 0, story)

        guard phone.device.screen.list.contains(where: { $0.id == id }) else { return }
        await act(row, on: id, of: app, phone)
        await phone.perform { $0.unlock() }
        let expected = row.delegate == .none ? 0 : row.act == 4 ? 0 : 1
        #expect(responses() == expected, story)
        #expect(!phone.device.screen.list.contains { $0.id == id } || row.act == 4, story)
        #expect(phone.device.tap(id) == (row.act == 4), story)
    }

    private func act(_ row: Combination, on id: String, of app: InstalledApp, _ phone: TestPhone) async {
        switch row.act {
        case 0: await phone.tap(id)
        case 1: await phone.choose("later", on: id)
        case 2: await phone.reply("Yes", with: "answer", to: id)
        case 3: await phone.dismiss(id)
        default: await phone.open(app)
        }
    }
}
