import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

private let finish = "application(_:didFinishLaunchingWithOptions:)"
private let didReceive = "userNotificationCenter(_:didReceive:withCompletionHandler:)"

/// A phone with an app of the matrix, and what a case does with them.
@MainActor
private struct Stage {
    let phone: TestPhone
    let app: InstalledApp
    let row: MatrixCase

    init(_ row: MatrixCase) {
        let prompts: PromptPolicy = row.permission == .denied ? .deny : .allow
        phone = TestPhone(.iOS(17), prompts: prompts)
        phone.device.setClearsDeliveredOnActivation(row.clearsOnActivation)
        app = row.hasBackgroundMode ? .lab : .deaf
        self.row = row
        let plan = MatrixAppPlan(
            options: row.options,
            zeroesBadge: row.zeroesBadge,
            asksPermission: row.permission != .notAsked
        )
        let delegate = row.delegate
        let isSlow = row.payload.contains("too slow")
        phone.install(app, serviceExtension: { isSlow ? SlowExtension() : TitleExtension() }) {
            switch delegate {
            case .complete: CompleteMatrixApp.make(plan)
            case .none: MatrixApp.make(plan)
            case .withoutWillPresent: HalfMatrixApp.make(plan)
            case .neverAnswers: SilentMatrixApp.make(plan)
            }
        }
    }

    /// Brings the app to its state, the notification to the app, and the person to act.
    ///
    /// - Returns: the notification's id, and the callbacks as the matrix writes them.
    func run() async throws -> (id: String, sequence: [String], banners: [ShownNotification]) {
        await phone.open(app)
        if row.isLocal { try schedule() }
        if row.start != .foreground { await phone.background(app) }
        if row.start == .terminatedBySystem { await phone.terminate(app) }
        if row.start == .forceQuit { await phone.forceQuit(app) }
        let begin = phone.device.recentHappenings.count
        let id = await arrive()
        await act(on: id)
        let happenings = phone.device.recentHappenings.dropFirst(begin)
        let banners = happenings.compactMap { happening -> ShownNotification? in
            if case .bannerShown(let shown) = happening.kind { shown } else { nil }
        }
        return (id, sequence(from: begin), banners)
    }

    var delegate: MatrixApp? { phone.device.delegate(of: app.bundleID, as: MatrixApp.self) }

    private func schedule() throws {
        let content = UNMutableNotificationContent()
        content.title = "Local"
        content.badge = 1
        content.categoryIdentifier = row.category
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        let request = UNNotificationRequest(identifier: "later", content: content, trigger: trigger)
        phone.device.inside(app.bundleID) { UNUserNotificationCenter.current().add(request) }
    }

    private func arrive() async -> String {
        guard !row.isLocal else {
            await phone.advance(by: .seconds(60))
            return phone.local("later", of: app)
        }
        let id = await phone.push(row.json, to: app)
        if row.payload.contains("too slow") { await phone.advance(by: .seconds(30)) }
        return id
    }

    private func act(on id: String) async {
        switch row.act {
        case .none: break
        case .tap: #expect(await phone.tap(id))
        case .icon: await phone.open(app)
        case .button(let action): #expect(await phone.choose(action, on: id) == .done)
        case .reply: #expect(await phone.reply("On my way", with: "answer", to: id) == .done)
        case .dismiss: #expect(await phone.dismiss(id))
        }
    }

    private func sequence(from begin: Int) -> [String] {
        var details = (delegate?.details ?? [])[...]
        return phone.device.callbacks(from: begin).map { callback in
            if callback.hasPrefix("UNNotificationServiceExtension") {
                return String(callback.prefix { $0 != "@" })
            }
            guard callback.hasPrefix(didReceive), let detail = details.popFirst() else { return callback }
            return "\(callback)[\(detail)]"
        }
    }
}

@Suite("Callback matrix: every row of the file for iOS 10 and later")
@MainActor
struct MatrixFileTests {
    @Test("Each row calls what it lists, and leaves what it says", arguments: try MatrixCase.all())
    func row(_ row: MatrixCase) async throws {
        let stage = Stage(row)
        let (id, sequence, banners) = try await stage.run()
        let story = Comment(rawValue: stage.phone.story(of: id))
        #expect(sequence == row.sequence, story)
        #expect(banners.isEmpty == !row.hasBanner, story)
        #expect(stage.phone.device.screen.list.map(\.id) == (row.isListed ? [id] : []), story)
        checkLaunchOptions(stage)
        if row.payload.hasPrefix("alert+mutable-content"), row.permission == .granted, row.hasBanner {
            let title = row.payload.contains("too slow") ? "Hi" : "Hi [changed]"
            #expect(banners.map(\.title) == [title], story)
        }
    }

    private func checkLaunchOptions(_ stage: Stage) {
        let options = stage.delegate?.launchOptions
        switch stage.row.launchOptions {
        case "nil": #expect(options == nil)
        case let cell where cell.hasPrefix("[.remoteNotification"):
            let payload = options?[.remoteNotification] as? [AnyHashable: Any]
            #expect(payload?["aps"] != nil)
        // `.localNotification` comes with `UILocalNotification`.
        default: break
        }
    }

    @Test("The file's rows of iOS 10 and later are all there, and few wait for the old interface")
    func count() throws {
        let lines = try MatrixLine.all()
        #expect(lines.count == 114)
        let rows = Set(try MatrixCase.all().map(\.id))
        let expected = Set(lines.filter { $0["os"] == "iOS 10+" }.map { $0["id"] })
        #expect(rows == expected.subtracting(MatrixCase.notYet))
    }
}
