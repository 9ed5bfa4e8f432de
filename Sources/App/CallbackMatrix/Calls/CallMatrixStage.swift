package import PosthornPhone
import PushDevice
import PushModel

/// A phone with an app that takes calls, on which a case is run.
@MainActor
package struct CallMatrixStage {
    package let phone: TestPhone
    private let row: CallMatrixCase
    private let app = InstalledApp(bundleID: "com.example.matrix", name: "Matrix", backgroundModes: ["voip"])

    /// Creates a phone of the row's version with the app.
    package init(_ row: CallMatrixCase) {
        phone = TestPhone(SystemProfile(version: row.system))
        self.row = row
        phone.install(app) { CallMatrixApp(row) }
    }

    /// Puts the app in its state, delivers the push, and tells what came of it.
    package func run() async -> CallMatrixOutcome {
        await phone.open(app)
        if row.start == .onCall {
            phone.device.delegate(of: app.bundleID, as: CallMatrixApp.self)?.receiver.beginCall()
            await phone.settle()
        }
        if row.start != .foreground { await phone.background(app) }
        if row.start == .locked { await phone.perform { $0.lock() } }
        if row.start == .terminated { await phone.terminate(app) }
        if row.start == .forceQuit { await phone.forceQuit(app) }
        let push = await send()
        await phone.settle()
        await phone.advance(by: .seconds(8))
        await phone.settle()
        let kinds = phone.journeys.kinds(of: push)
        return CallMatrixOutcome(
            hears: kinds.compactMap { kind in
                if case .callback(let name, _) = kind, name.hasPrefix("pushRegistry") { name } else { nil }
            },
            result: result(kinds),
            appAfter: words(for: phone.device.condition(of: app.bundleID)),
            story: phone.story(of: push)
        )
    }

    private func send() async -> String {
        guard row.start == .delayed else { return await phone.push(voIP: [:], to: app) }
        // It is stored while the phone has no network, and expires in the year 2096.
        phone.courier.drop(phone.device.id)
        await phone.settle()
        let push = await phone.push([:], to: app, type: .voip, expiration: 4_000_000_000)
        await phone.advance(by: .seconds(60))
        await phone.wait("the push has arrived") { !$0.journeys.kinds(of: push).isEmpty }
        return push
    }

    private func result(_ kinds: [JourneyEvent.Kind]) -> String {
        for case .crashed(let reason) in kinds {
            return reason.contains("0xbaadca11") ? "ended after 7 s" : "ended at return"
        }
        let rings = kinds.contains(.presented(.call)) || kinds.contains(.presented(.conversation))
        if kinds.contains(.suppressed(.reportedTwice)) { return "rings; reported twice" }
        for case .suppressed(let reason) in kinds where !rings {
            switch reason {
            case .reportNotDueInFront, .reportNotDueOnCall, .reportNotDueDelayed: return "not due"
            case .noPushRegistry: return "no method"
            case .noCall: return "nothing"
            default: return reason.rawValue
            }
        }
        if row.start == .locked, phone.ringingCall?.presentation == .fullScreen { return "rings in full screen" }
        return rings ? "rings" : "unknown"
    }

    private func words(for condition: AppCondition?) -> String {
        switch condition {
        case .active: "active"
        case .background: "background"
        case .notRunning: "not running"
        default: "force-quit"
        }
    }
}
