import CallbackMatrix
import Foundation
import PosthornPhone
package import PushDevice
import PushModel
import UIKit
import UserNotifications

/// The outcome of a push on one phone: what its user sees and hears, and what its app is called with.
package struct Sight: Hashable, Sendable {
    /// The ways in which the push was presented, such as `banner`.
    package var presented: [String] = []
    /// The sentences for what was kept back; for a push that was not presented at all, at least one.
    package var reasons: [String] = []
    /// The texts on the screen; empty without any.
    package var texts: [String] = []
    /// The file of the sound that was played, or `default`; nil for none.
    package var sound: String?
    /// The number on the app's icon; nil for none.
    package var badge: Int?
    /// The thread of the group in the notification centre; nil without one.
    package var thread: String?
    /// The number of buttons of the push's category that the phone has room for; nil without a category.
    package var buttons: Int?
    /// The app's methods that were called, in order, with the app's state: `method@background`.
    package var callbacks: [String] = []
    /// The outcome of the service extension; nil if it did not run.
    package var serviceExtension: String?

    /// Whether the user sees the text.
    package var isShown: Bool { !texts.isEmpty }

    /// The reasons, as they stand beside the ways in which it is shown.
    package var remarks: [String] {
        reasons.map { reason in
            ["delivered, but ", "delivered, "].first { reason.hasPrefix($0) }
                .map { String(reason.dropFirst($0.count)) } ?? reason
        }
    }

    /// The ways in which it is shown, or the reason why it is not.
    package var outcome: String {
        let isPresented = !presented.isEmpty
        let start = isPresented ? [presented.joined(separator: ", ")] : []
        let words = (start + remarks).joined(separator: "; ")
        return isPresented || words.hasPrefix("not shown") ? words : "not shown: \(words)"
    }
}

extension Sight {
    private static let every = Set(InstalledApp.Entitlement.allCases)

    /// Pushes to an app that implements all callbacks, may be woken, has permission and a service extension that changes nothing.
    @MainActor
    init(
        of push: ExplainedPush,
        on system: SystemProfile,
        in state: Explanation.State,
        _ options: Explanation.Options
    ) async {
        let road = ExplainedRoad(at: options.date)
        let phone = TestPhone(system, clock: road.clock)
        road.connect(phone)
        if let language = options.language { phone.device.setLanguage(language) }
        var app = InstalledApp(bundleID: push.bundleID, entitlements: Self.every)
        app.strings = options.app?.strings ?? [:]
        app.sounds = options.app?.sounds
        let row = MatrixCase(start: state.start, payload: "alert", act: .none, iOS: system.major)
        Self.install(app, on: phone.device, system)
        var isLate = false
        var stage = MatrixStage(row, on: phone, with: app)
        stage.arrival = { [app] in
            if state == .locked { await phone.perform { $0.lock() } }
            let tokens = phone.device.recentDeviceEvents.compactMap { event in
                if case .tokenReceived(let token, _) = event.kind { token } else { nil }
            }
            guard let token = tokens.last else { return "none" }
            let id = road.send(push, to: token, app.environment).id
            await phone.settle()
            guard phone.journeys.events(of: id).isEmpty else { return id }
            isLate = true
            await road.release(to: phone)
            return id
        }
        let outcome = await stage.run {
            // On iOS 7 the app has registered with its settings.
            guard system.major >= 8 else { return }
            await phone.device.inside(app.bundleID) { UIApplication.shared.registerForRemoteNotifications() }
            await phone.settle()
        }
        self.init(outcome, on: phone, of: push, app)
        guard isLate else { return }
        if push.expiration?.hasPassed(at: options.date) == true {
            reasons = ["it had expired when it was sent"]
        } else if outcome.journey.isEmpty {
            reasons = ["the gateway keeps it until the phone wakes up"]
        } else {
            reasons.append("up to 15 minutes late: for a phone that sleeps, the gateway groups pushes of priority 5")
        }
    }

    /// Installs an app that implements all callbacks.
    @MainActor
    package static func install(_ app: InstalledApp, on device: Device, _ system: SystemProfile) {
        var plan = MatrixAppPlan()
        plan.delegate = system.hasNotificationCenter ? .complete : .legacy
        device.install(app, serviceExtension: { UNNotificationServiceExtension() }) { [plan] in plan.makeApp() }
    }

    private init(_ outcome: MatrixOutcome, on phone: TestPhone, of push: ExplainedPush, _ app: InstalledApp) {
        let screen = phone.device.screen
        let shown = outcome.banners.first ?? screen.list.first
        for event in outcome.journey {
            switch event.kind {
            case .presented(let how): presented.append(how.rawValue)
            case .suppressed: reasons.append(Verdict([event]).sentence)
            case .serviceExtension(let outcome): serviceExtension = outcome.rawValue
            default: break
            }
        }
        if presented.isEmpty, reasons.isEmpty { reasons = [Verdict(outcome.journey).sentence] }
        texts = [shown?.title, shown?.subtitle, shown?.body].compactMap(\.self).filter { !$0.isEmpty }
        badge = screen.badges[app.bundleID]
        callbacks = outcome.sequence
        let group = phone.device.profile.groupsNotifications ? screen.groups.first?.threadIdentifier : nil
        thread = group.flatMap { $0.isEmpty ? nil : $0 }
        for case .soundPlayed(let name) in phone.device.recentDeviceEvents.map(\.kind) { sound = name ?? "default" }
        if isShown, push.object["aps"]?.object?["category"]?.string != nil {
            let system = phone.device.profile
            buttons = system.hasButtons ? system.expandedActions : 0
        }
    }
}

extension Explanation.State {
    fileprivate var start: MatrixCase.Start {
        switch self {
        case .front: .foreground
        case .background, .locked: .background
        case .forceQuit: .forceQuit
        }
    }
}
