import Foundation
package import PosthornTesting
import PushClock
package import PushDevice
import PushModel
import SystemPort
import UIKit

/// A phone with an app of the matrix, and what a case does with them.
@MainActor
package struct MatrixStage {
    package let phone: TestPhone
    private let app: InstalledApp
    private let row: MatrixCase

    /// - `system`: the version of iOS: 9, or 10 and later, as the row asks.
    package init(_ row: MatrixCase, system: SystemProfile = .iOS(17)) {
        let prompts: PromptPolicy = row.permission == .denied ? .deny : .allow
        phone = TestPhone(system, prompts: prompts)
        phone.device.setClearsDeliveredOnActivation(row.clearsOnActivation)
        let modes = row.hasBackgroundMode ? ["remote-notification"] : []
        app = InstalledApp(bundleID: "com.example.matrix", name: "Matrix", backgroundModes: modes)
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
            case .legacy: LegacyMatrixApp.make(plan)
            }
        }
    }

    /// Brings the app to its state, the notification to the app, and the person to act.
    package func run() async -> MatrixOutcome {
        await phone.open(app)
        if row.isLocal { schedule() }
        if row.start != .foreground { await phone.background(app) }
        if row.start == .terminatedBySystem { await phone.terminate(app) }
        if row.start == .forceQuit { await phone.forceQuit(app) }
        let begin = phone.device.recentHappenings.count
        let id = await arrive()
        let couldAct = await act(on: id)
        let happenings = phone.device.recentHappenings.dropFirst(begin)
        let banners = happenings.compactMap { happening -> ShownNotification? in
            if case .bannerShown(let shown) = happening.kind { shown } else { nil }
        }
        let delegate: MatrixApp? = phone.device.delegate(of: app.bundleID)
        return MatrixOutcome(
            id: id,
            sequence: sequence(from: begin, delegate),
            banners: banners,
            listed: phone.device.screen.list.map(\.id),
            hadLaunchPayload: (delegate?.launchOptions?[.remoteNotification] as? [AnyHashable: Any])?["aps"] != nil,
            hadLaunchNotification: delegate?.launchOptions?[.localNotification] is UILocalNotification,
            hadLaunchOptions: delegate?.launchOptions != nil,
            couldAct: couldAct,
            story: phone.story(of: id)
        )
    }

    private func schedule() {
        guard row.delegate != .legacy else { return scheduleAsBefore() }
        let content = UNMutableNotificationContent()
        content.title = "Local"
        content.badge = 1
        content.categoryIdentifier = row.category
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        let request = UNNotificationRequest(identifier: "later", content: content, trigger: trigger)
        phone.device.inside(app.bundleID) { UNUserNotificationCenter.current().add(request) }
    }

    private func scheduleAsBefore() {
        let notification = UILocalNotification()
        notification.alertBody = "Local"
        notification.applicationIconBadgeNumber = 1
        notification.category = row.category
        notification.fireDate = phone.device.clock.date.addingTimeInterval(60)
        phone.device.inside(app.bundleID) { UIApplication.shared.scheduleLocalNotification(notification) }
    }

    private func arrive() async -> String {
        guard !row.isLocal else {
            let identifier = phone.device.pendingRequests(of: app.bundleID).first?.identifier
            await phone.advance(by: .seconds(60))
            return phone.local(identifier ?? "none", of: app)
        }
        let id = await phone.push(row.json, to: app)
        if row.payload.contains("too slow") { await phone.advance(by: .seconds(30)) }
        return id
    }

    private func act(on id: String) async -> Bool {
        switch row.act {
        case .none: return true
        case .tap: return await phone.tap(id)
        case .icon:
            await phone.open(app)
            return true
        case .button(let action): return await phone.choose(action, on: id) == .done
        case .reply: return await phone.reply("On my way", with: "answer", to: id) == .done
        case .dismiss: return await phone.dismiss(id)
        }
    }

    private func sequence(from begin: Int, _ delegate: MatrixApp?) -> [String] {
        let didReceive = "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        var details = (delegate?.details ?? [])[...]
        return phone.device.recentHappenings.dropFirst(begin).compactMap { happening in
            guard case .callback(let name, let state, _) = happening.kind else { return nil }
            if name.hasPrefix("UNNotificationServiceExtension") { return name }
            let isResponse = name == didReceive || name.hasPrefix("application(_:handleActionWithIdentifier:")
            guard isResponse, let detail = details.popFirst() else { return "\(name)@\(state.rawValue)" }
            return "\(name)@\(state.rawValue)[\(detail)]"
        }
    }
}
