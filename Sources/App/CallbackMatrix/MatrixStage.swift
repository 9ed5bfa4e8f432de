package import Foundation
package import PosthornPhone
package import PushDevice
import PushModel
import SystemPort
import UIKit

/// A phone with an app of the matrix, on which a case is run.
@MainActor
package struct MatrixStage {
    package let phone: TestPhone
    private let app: InstalledApp
    private let row: MatrixCase
    /// Lets a push arrive, and returns its id; nil for that of the case.
    package var arrival: (@MainActor () async -> String)?

    private nonisolated static let scheme = "matrix"
    /// The type of the app's quick action.
    private nonisolated static let shortcut = "show"

    /// Installs the app of a case on a phone of its version of iOS: 9, or 10 and later, according to the row. With a program
    /// (``MatrixProgram``), the app and its extension run as processes of it; otherwise in this process.
    package init(_ row: MatrixCase, system: SystemProfile = .iOS(17), program: URL? = nil) {
        let prompts: PromptPolicy = row.permission == .denied ? .deny : .allow
        phone = TestPhone(system, prompts: prompts)
        phone.device.setClearsDeliveredOnActivation(row.clearsOnActivation)
        self.row = row
        var plan = MatrixAppPlan(
            options: row.options,
            zeroesBadge: row.zeroesBadge,
            asksPermission: row.permission != .notAsked
        )
        plan.delegate = row.delegate
        if row.isLocal { plan.localCategory = row.category }
        var info: JSONObject = [
            MatrixProgram.planKey: plan.json,
            "CFBundleURLTypes": [["CFBundleURLSchemes": [.string(Self.scheme)]]],
            "UIApplicationShortcutItems": [
                [
                    "UIApplicationShortcutItemType": .string(Self.shortcut), "UIApplicationShortcutItemTitle": "Show",
                ]
            ],
        ]
        if row.hasScenes { info["UIApplicationSceneManifest"] = MatrixScene.manifest }
        app = InstalledApp(
            bundleID: "com.example.matrix",
            name: "Matrix",
            backgroundModes: row.hasBackgroundMode ? ["remote-notification"] : [],
            info: info
        )
        let isSlow = row.payload.contains("too slow")
        if let program {
            let service = ProgramExtension(
                bundleID: "\(app.bundleID).service",
                executable: program,
                principalClass: isSlow ? "CallbackMatrix.SlowExtension" : "CallbackMatrix.TitleExtension"
            )
            phone.device.install(ProgramApp(app, executable: program, serviceExtension: service))
        } else {
            phone.install(app, serviceExtension: { isSlow ? SlowExtension() : TitleExtension() }) { [plan] in
                plan.makeApp()
            }
        }
    }

    /// A stage with another app, which is installed on its phone.
    package init(_ row: MatrixCase, on phone: TestPhone, with app: InstalledApp) {
        self.row = row
        self.phone = phone
        self.app = app
    }

    /// Runs the case without a preparation.
    package func run() async -> MatrixOutcome { await run {} }

    /// Puts the app in its state, delivers the notification and performs the user's action.
    ///
    /// - Parameter prepare: runs while the app is in the foreground for the first time.
    /// - Returns: the outcome, once the app's own tasks have ended too.
    package func run(preparing prepare: @MainActor () async throws -> Void) async rethrows -> MatrixOutcome {
        await phone.open(app)
        try await prepare()
        if row.start != .foreground { await phone.background(app) }
        if row.start == .terminatedBySystem { await phone.terminate(app) }
        if row.start == .forceQuit { await phone.forceQuit(app) }
        let begin = phone.device.recentDeviceEvents.count
        let id = await arrive()
        await phone.settle()
        let couldAct = await act(on: id)
        await phone.settle()
        let deviceEvents = phone.device.recentDeviceEvents.dropFirst(begin)
        let banners = deviceEvents.compactMap { deviceEvent -> ShownNotification? in
            if case .bannerShown(let shown) = deviceEvent.kind { shown } else { nil }
        }
        let note = MatrixNote(behind: phone.device.port(of: app.bundleID))
        return MatrixOutcome(
            id: id,
            sequence: sequence(from: begin, note),
            banners: banners,
            listed: phone.device.screen.list.map(\.id),
            launch: note.launch,
            couldAct: couldAct,
            journey: phone.journeys.events(of: id),
            story: phone.story(of: id)
        )
    }

    /// Lets the notification arrive, if there is one. Returns its id.
    private func arrive() async -> String {
        if let arrival { return await arrival() }
        guard row.hasNotification else { return "none" }
        guard !row.isLocal else {
            let request = phone.device.pendingRequests(of: app.bundleID).first { request in
                [request.content.title, request.content.body].contains(MatrixRequests.localText)
            }
            await phone.advance(by: .seconds(60))
            return phone.local(request?.identifier ?? "none", of: app)
        }
        let id = await phone.push(row.json, to: app)
        if row.payload.contains("too slow") { await phone.advance(by: .seconds(30)) }
        return id
    }

    private func act(on id: String) async -> Bool {
        switch row.act {
        case .none: return true
        case .tap: return await phone.perform { $0.tap(id) }
        case .icon:
            await phone.open(app)
            return true
        case .button(let action): return await phone.perform { $0.choose(action, on: id) } == .done
        case .reply:
            return await phone.perform { $0.reply("On my way", with: row.replyAction, to: id) } == .done
        case .dismiss: return await phone.perform { $0.dismiss(id) }
        case .shortcut: return await phone.perform { $0.chooseShortcut(Self.shortcut, of: app.bundleID) }
        case .url:
            guard let url = URL(string: "\(Self.scheme)://page") else { return false }
            return await phone.perform { $0.openURL(url) }
        case .leave:
            await phone.background(app)
            return true
        case .swipeAway:
            await phone.forceQuit(app)
            return true
        }
    }

    private static let didReceive = "userNotificationCenter(_:didReceive:withCompletionHandler:)"
    private static let willConnect = "scene(_:willConnectTo:options:)"

    private func sequence(from begin: Int, _ note: MatrixNote) -> [String] {
        let calls = phone.device.recentDeviceEvents.dropFirst(begin).compactMap { deviceEvent in
            if case .callback(let name, let state, _) = deviceEvent.kind { (name: name, state: state) } else { nil }
        }
        var details = note.details[...]
        // The process may have connected its scene before.
        var connections = note.connections.suffix(calls.count { $0.name == Self.willConnect })
        return calls.map { name, state in
            if name.hasPrefix("UNNotificationServiceExtension") { return name }
            let isResponse = name == Self.didReceive || name.hasPrefix("application(_:handleActionWithIdentifier:")
            let detail =
                if isResponse {
                    details.popFirst()
                } else {
                    name == Self.willConnect ? connections.popFirst() : nil
                }
            return "\(name)@\(state.rawValue)\(detail.map { "[\($0)]" } ?? "")"
        }
    }
}
