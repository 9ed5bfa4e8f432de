import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

private let finish = "application(_:didFinishLaunchingWithOptions:)"
private let fetch = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
private let willPresent = "userNotificationCenter(_:willPresent:withCompletionHandler:)"
private let didReceive = "userNotificationCenter(_:didReceive:withCompletionHandler:)"
private let entering = ["applicationWillEnterForeground(_:)@background"]
private let active = ["applicationDidBecomeActive(_:)@active"]

/// A row of `Sources/App/CMatrix/callbacks.csv`: remote notifications on iOS 10 and later.
struct MatrixRow: Sendable, CustomTestStringConvertible {
    enum Start: Sendable { case foreground, background, terminatedBySystem, forceQuit }
    enum Payload: Sendable { case alert, alertAndContent, silent }
    enum Action: Sendable { case none, tap, icon }
    enum Kind: Sendable { case complete, plain, half, silent }

    var id: String
    var start: Start
    var payload: Payload
    var action = Action.none
    var mode = true
    var kind = Kind.complete
    /// The column `full_sequence`.
    var sequence: [String] = []
    var banner = false
    /// After it all.
    var listed = false
    var hasLaunchOptions: Bool?

    var testDescription: String { "\(id) \(start) \(payload) \(action)\(mode ? "" : " without background mode")" }

    /// The push in the column `payload_kind`.
    var json: JSONValue {
        switch payload {
        case .alert: .alert
        case .alertAndContent: .alertAndContent
        case .silent: .silent
        }
    }

    /// The column `notification_callbacks` without launches that the push did not cause.
    var notificationCallbacks: [String] {
        sequence.filter { callback in
            if callback == "\(finish)@inactive" { return action == .tap }
            return !entering.contains(callback) && !active.contains(callback)
        }
    }
}

private let rows: [MatrixRow] = foreground + background + terminated + withoutDelegate

private let foreground: [MatrixRow] = [
    MatrixRow(
        id: "R10-F-1",
        start: .foreground,
        payload: .alert,
        sequence: ["\(willPresent)@active"],
        banner: true,
        listed: true
    ),
    MatrixRow(
        id: "R10-F-2",
        start: .foreground,
        payload: .alert,
        action: .tap,
        sequence: ["\(willPresent)@active", "\(didReceive)@active"],
        banner: true
    ),
    MatrixRow(
        id: "R10-F-3",
        start: .foreground,
        payload: .alertAndContent,
        sequence: ["\(fetch)@active", "\(willPresent)@active"],
        banner: true,
        listed: true
    ),
    MatrixRow(
        id: "R10-F-3",
        start: .foreground,
        payload: .alertAndContent,
        mode: false,
        sequence: ["\(fetch)@active", "\(willPresent)@active"],
        banner: true,
        listed: true
    ),
    MatrixRow(
        id: "R10-F-4",
        start: .foreground,
        payload: .alertAndContent,
        action: .tap,
        sequence: ["\(fetch)@active", "\(willPresent)@active", "\(didReceive)@active"],
        banner: true
    ),
    MatrixRow(id: "R10-F-5", start: .foreground, payload: .silent, sequence: ["\(fetch)@active"]),
    MatrixRow(id: "R10-F-12", start: .foreground, payload: .alert, kind: .half),
    MatrixRow(id: "R10-F-12b", start: .foreground, payload: .alert, kind: .silent, sequence: ["\(willPresent)@active"]),
]

private let background: [MatrixRow] = [
    MatrixRow(id: "R10-B-1", start: .background, payload: .alert, banner: true, listed: true),
    MatrixRow(
        id: "R10-B-2",
        start: .background,
        payload: .alert,
        action: .tap,
        sequence: entering + ["\(didReceive)@inactive"] + active,
        banner: true
    ),
    MatrixRow(
        id: "R10-B-3",
        start: .background,
        payload: .alert,
        action: .icon,
        sequence: entering + active,
        banner: true,
        listed: true
    ),
    MatrixRow(
        id: "R10-B-4",
        start: .background,
        payload: .alertAndContent,
        sequence: ["\(fetch)@background"],
        banner: true,
        listed: true
    ),
    MatrixRow(
        id: "R10-B-5",
        start: .background,
        payload: .alertAndContent,
        action: .tap,
        sequence: ["\(fetch)@background"] + entering + ["\(didReceive)@inactive"] + active,
        banner: true
    ),
    MatrixRow(
        id: "R10-B-6",
        start: .background,
        payload: .alertAndContent,
        action: .icon,
        sequence: ["\(fetch)@background"] + entering + active,
        banner: true,
        listed: true
    ),
    MatrixRow(id: "R10-B-7", start: .background, payload: .alertAndContent, mode: false, banner: true, listed: true),
    MatrixRow(id: "R10-B-8", start: .background, payload: .silent, sequence: ["\(fetch)@background"]),
    MatrixRow(id: "R10-B-9", start: .background, payload: .silent, mode: false),
]

private let coldTap = ["\(finish)@inactive", "\(didReceive)@inactive"] + active
private let woken = ["\(finish)@background", "\(fetch)@background"]

private let terminated: [MatrixRow] = [
    MatrixRow(
        id: "R10-T-1",
        start: .terminatedBySystem,
        payload: .alert,
        action: .tap,
        sequence: coldTap,
        banner: true,
        hasLaunchOptions: true
    ),
    MatrixRow(
        id: "R10-T-1",
        start: .forceQuit,
        payload: .alert,
        action: .tap,
        sequence: coldTap,
        banner: true,
        hasLaunchOptions: true
    ),
    MatrixRow(
        id: "R10-T-1b",
        start: .forceQuit,
        payload: .alertAndContent,
        action: .tap,
        sequence: coldTap,
        banner: true,
        hasLaunchOptions: true
    ),
    MatrixRow(
        id: "R10-T-2",
        start: .terminatedBySystem,
        payload: .alert,
        action: .icon,
        sequence: ["\(finish)@inactive"] + active,
        banner: true,
        listed: true,
        hasLaunchOptions: false
    ),
    MatrixRow(
        id: "R10-T-2",
        start: .forceQuit,
        payload: .alert,
        action: .icon,
        sequence: ["\(finish)@inactive"] + active,
        banner: true,
        listed: true,
        hasLaunchOptions: false
    ),
    MatrixRow(
        id: "R10-T-2b",
        start: .forceQuit,
        payload: .alertAndContent,
        action: .icon,
        sequence: ["\(finish)@inactive"] + active,
        banner: true,
        listed: true,
        hasLaunchOptions: false
    ),
    MatrixRow(
        id: "R10-T-15",
        start: .terminatedBySystem,
        payload: .alertAndContent,
        action: .icon,
        sequence: woken + entering + active,
        banner: true,
        listed: true,
        hasLaunchOptions: true
    ),
    MatrixRow(id: "R10-T-3", start: .terminatedBySystem, payload: .alert, banner: true, listed: true),
    MatrixRow(id: "R10-T-3", start: .forceQuit, payload: .alert, banner: true, listed: true),
    MatrixRow(
        id: "R10-T-4",
        start: .terminatedBySystem,
        payload: .alertAndContent,
        sequence: woken,
        banner: true,
        listed: true,
        hasLaunchOptions: true
    ),
    MatrixRow(
        id: "R10-T-5",
        start: .terminatedBySystem,
        payload: .alertAndContent,
        action: .tap,
        sequence: woken + entering + ["\(didReceive)@inactive"] + active,
        banner: true,
        hasLaunchOptions: true
    ),
    MatrixRow(id: "R10-T-6", start: .forceQuit, payload: .alertAndContent, banner: true, listed: true),
    MatrixRow(id: "R10-T-7", start: .terminatedBySystem, payload: .silent, sequence: woken, hasLaunchOptions: true),
    MatrixRow(id: "R10-T-8", start: .forceQuit, payload: .silent),
]

private let withoutDelegate: [MatrixRow] = [
    MatrixRow(id: "R10N-F-1", start: .foreground, payload: .alert, kind: .plain, sequence: ["\(fetch)@active"]),
    MatrixRow(
        id: "R10N-B-1",
        start: .background,
        payload: .alert,
        action: .tap,
        kind: .plain,
        sequence: entering + ["\(fetch)@inactive"] + active,
        banner: true
    ),
    MatrixRow(
        id: "R10N-B-2",
        start: .background,
        payload: .alertAndContent,
        action: .tap,
        kind: .plain,
        sequence: ["\(fetch)@background"] + entering + ["\(fetch)@inactive"] + active,
        banner: true
    ),
    MatrixRow(
        id: "R10N-T-1",
        start: .terminatedBySystem,
        payload: .alert,
        action: .tap,
        kind: .plain,
        sequence: ["\(finish)@inactive", "\(fetch)@inactive"] + active,
        banner: true,
        hasLaunchOptions: true
    ),
]

@Suite("Callback matrix: remote notifications, iOS 10 and later")
@MainActor
struct CallbackMatrixTests {
    @Test("Each row calls what it lists, in order and state", arguments: rows)
    func row(_ row: MatrixRow) async {
        let phone = TestPhone()
        let app = row.mode ? InstalledApp.lab : .deaf
        let kind = row.kind
        phone.install(app) {
            switch kind {
            case .complete: RecordingApp()
            case .plain: PlainApp()
            case .half: HalfApp()
            case .silent: SilentApp()
            }
        }
        await bring(phone, app, to: row.start)
        let start = phone.device.recentDeviceEvents.count

        let push = await phone.push(row.json, to: app)
        switch row.action {
        case .none: break
        case .tap: #expect(await phone.tap(push))
        case .icon: await phone.open(app)
        }

        #expect(phone.device.callbacks(from: start) == row.sequence)
        #expect(phone.journeys.callbacks(of: push) == row.notificationCallbacks)
        let banners = phone.device.recentDeviceEvents.dropFirst(start).filter {
            if case .bannerShown = $0.kind { true } else { false }
        }
        #expect(banners.count == (row.banner ? 1 : 0))
        #expect(phone.device.screen.list.map(\.apnsID) == (row.listed ? [push] : []))
        let delegate = phone.device.delegate(of: app.bundleID, as: PlainApp.self)
        if let hasLaunchOptions = row.hasLaunchOptions {
            let payload = delegate?.launchOptions?[.remoteNotification] as? [AnyHashable: Any]
            #expect((payload?["aps"] != nil) == hasLaunchOptions)
        }
        if let app = delegate as? RecordingApp {
            #expect(
                app.responses.map(\.actionIdentifier)
                    == (row.action == .tap ? [UNNotificationDefaultActionIdentifier] : [])
            )
        }
    }

    private func bring(_ phone: TestPhone, _ app: InstalledApp, to start: MatrixRow.Start) async {
        await phone.open(app)
        switch start {
        case .foreground: break
        case .background:
            await phone.background(app)
        case .terminatedBySystem:
            await phone.background(app)
            await phone.terminate(app)
        case .forceQuit:
            await phone.background(app)
            await phone.forceQuit(app)
        }
    }

    @Test("R10-X-1: nothing is shown, listed or asked without permission", arguments: [true, false])
    func noPermission(denied: Bool) async {
        let phone = TestPhone(prompts: denied ? .deny : .ask)
        phone.install(.lab) { RecordingApp() }
        await phone.open(.lab)
        let start = phone.device.recentDeviceEvents.count
        let push = await phone.push(.alert, to: .lab)
        #expect(phone.device.callbacks(from: start) == [])
        #expect(phone.device.screen.list.isEmpty)
        let reason: SuppressionReason = denied ? .permissionDenied : .permissionNotDetermined
        #expect(phone.journeys.kinds(of: push) == [.suppressed(reason)])
    }

    @Test("R10-X-2: background delivery needs no permission", arguments: [JSONValue.silent, .alertAndContent])
    func fetchWithoutPermission(_ payload: JSONValue) async {
        let phone = TestPhone(prompts: .deny)
        phone.install(.lab) { RecordingApp() }
        await phone.open(.lab)
        await phone.background(.lab)
        let start = phone.device.recentDeviceEvents.count
        await phone.push(payload, to: .lab)
        #expect(phone.device.callbacks(from: start) == ["\(fetch)@background"])
        #expect(phone.device.screen.list.isEmpty)
    }

    @Test("The app reads the state that the matrix names")
    func applicationState() async {
        let phone = TestPhone()
        phone.install(.lab) { RecordingApp() }
        await phone.open(.lab)
        await phone.background(.lab)
        await phone.push(.alertAndContent, to: .lab)
        await phone.open(.lab)
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: RecordingApp.self)
        // It asks for permission at the launch, so it resigns and becomes active twice.
        let launch: [UIApplication.State] = [.inactive, .active, .active, .active]
        #expect(app?.states == launch + [.active, .background, .background, .background, .active])
    }
}
