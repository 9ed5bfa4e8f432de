import CallbackMatrix
import PushDevice
import PushModel

/// The result of a case, from what happened on the app's phone and on that of an app which implements all methods.
struct MatrixReport {
    let planned: MatrixPlan.Planned
    let system: SystemProfile
    let outcome: MatrixOutcome
    /// The journey, with what came late.
    let journey: [JourneyEvent]
    let complete: MatrixOutcome
    /// Whether the app has set a delegate of the notification centre; nil if it does not run.
    let hasCentreDelegate: Bool?

    private typealias Call = CallbackMatrix.Call

    private var calls: [Call] { outcome.sequence.map(Call.init) }

    private var expected: [Call] { complete.sequence.map(Call.init).filter { !MatrixMethods.isLifeCycle($0.method) } }

    var row: CallbackMatrix.Row {
        CallbackMatrix.Row(
            id: planned.original.id,
            system: system.version,
            start: planned.start,
            payload: planned.payload,
            act: planned.act,
            button: planned.button,
            permission: planned.permission,
            calls: calls,
            complete: expected,
            missing: missing,
            silence: silence,
            fetchResult: fetchResult,
            answeredWillPresent: answeredWillPresent,
            presentation: presentation,
            serviceExtension: serviceExtension,
            banner: outcome.banners.first.map { $0.title.isEmpty ? $0.body : $0.title },
            isListed: outcome.listed.contains(outcome.id),
            couldAct: outcome.couldAct
        )
    }

    // MARK: What is missing

    /// A method counts as often as the other app has it called.
    private var missing: [CallbackMatrix.MissingCall] {
        var found = calls.map(\.method)
        return expected.compactMap { call in
            if call.method == MatrixMethods.launch || MatrixMethods.isOfExtension(call.method) { return nil }
            if let place = found.firstIndex(of: call.method) {
                found.remove(at: place)
                return nil
            }
            return CallbackMatrix.MissingCall(call: call, reason: reason(for: call.method))
        }
    }

    private func reason(for method: String) -> String {
        if !outcome.couldAct, complete.couldAct {
            return "\(method) is not called: the notification is not on the screen, so the user cannot act on it."
        }
        if MatrixMethods.isOfCentre(method), hasCentreDelegate == false {
            return """
                UNUserNotificationCenter.current().delegate is nil: set it before \(MatrixMethods.launch) returns, and \
                implement \(method).
                """
        }
        return "\(method) is not implemented."
    }

    /// Why no app learns of the notification; nil if one does.
    private var silence: String? {
        if expected.contains(where: { MatrixMethods.tellsOfNotification($0.method) }) { return nil }
        let reasons = Verdict.suppressions(in: journey)
        if !reasons.isEmpty { return reasons.joined(separator: "; ") }
        return switch planned.act {
        case .none: "the notification is shown, and iOS calls no method until the user acts on it"
        case .icon: "a tap on the icon says nothing of the notification; the app can ask for the delivered ones"
        case .dismiss: "its category does not ask for dismissals (customDismissAction), or iOS is older than 10"
        case .tap, .backgroundButton, .foregroundButton, .reply: "iOS \(system.version) calls no method here"
        }
    }

    // MARK: Results

    private var fetchResult: String? {
        journey.compactMap { event in
            if case .finished(let outcome) = event.kind { outcome.rawValue } else { nil }
        }.first
    }

    private var presentation: [String] {
        var seen: Set<String> = []
        return journey.compactMap { event in
            if case .presented(let how) = event.kind { how.rawValue } else { nil }
        }.filter { seen.insert($0).inserted }
    }

    private var serviceExtension: String? {
        journey.compactMap { event in
            if case .serviceExtension(let outcome) = event.kind { outcome.rawValue } else { nil }
        }.first
    }

    /// An answer comes at once, and is in the journey; without one the journey goes on when the time is over.
    private var answeredWillPresent: Bool? {
        guard calls.contains(where: { $0.method.contains("willPresent") }) else { return nil }
        return outcome.journey.contains { event in
            switch event.kind {
            case .presented, .suppressed(.foreground): true
            default: false
            }
        }
    }
}

extension Verdict {
    /// The sentences for what kept the app from being called, or the notification from being shown.
    fileprivate static func suppressions(in journey: [JourneyEvent]) -> [String] {
        journey.compactMap { event in
            if case .suppressed = event.kind { Verdict([event]).sentence } else { nil }
        }
    }
}

/// The kinds of methods that a notification can call.
enum MatrixMethods {
    static let launch = "application(_:didFinishLaunchingWithOptions:)"

    private static let telling = [
        "userNotificationCenter(_:", "application(_:didReceiveRemoteNotification:", "application(_:didReceive:)",
        "application(_:handleActionWithIdentifier:",
    ]

    /// Whether the app learns of the notification by the method.
    static func tellsOfNotification(_ method: String) -> Bool { telling.contains { method.hasPrefix($0) } }

    /// Whether it is a method of the life cycle of a running app.
    static func isLifeCycle(_ method: String) -> Bool { MatrixOutcome.lifeCycle.contains(method) }

    static func isOfCentre(_ method: String) -> Bool { method.hasPrefix("userNotificationCenter(_:") }

    static func isOfExtension(_ method: String) -> Bool { method.hasPrefix("UNNotificationServiceExtension") }
}

extension CallbackMatrix.Call {
    /// Reads a call from the notation of the table: `method@state[detail]`.
    init(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1).map(String.init)
        method = parts.first ?? text
        state = parts.count > 1 ? String(parts[1].prefix { $0 != "[" }) : nil
    }
}
