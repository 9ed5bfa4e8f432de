import Foundation

// The text of verdicts: what happened, why, and what to do.

extension Verdict {
    static func quietSentence(_ until: Date, isHeld: Bool) -> String {
        let end = until.formatted(.iso8601)
        if isHeld { return "waits: the device has quiet hours until \(end); it is sent then" }
        return """
            not sent: the device has quiet hours until \(end), and the push's time to live ends before that; give it a longer \
            time_to_live, or set options.x_quiet_hours to false for a push that must come at once
            """
    }
}

extension SuppressionReason {
    func sentence(_ context: Verdict.Context) -> String {
        guard self == .environment, let device = context.deviceEnvironment, let push = context.pushEnvironment else {
            return sentence
        }
        return """
            not sent: the app was registered as a \(device.rawValue) build and the push asked for \(push.rawValue); build, \
            credential and push must agree (set options.apns_production to \(device == .production), or install a \
            \(push.rawValue) build)
            """
    }

    /// The sentence without the facts of one push.
    ///
    /// Source of those about types of pushes: Apple, "Sending notification requests to APNs", of each value of apns-push-type, and
    /// the page of each framework.
    package var sentence: String { Words.english.verdicts["suppressed_\(rawValue)"] ?? rawValue }
}

extension PauseReason {
    package var sentence: String { Words.english.verdicts["paused_\(rawValue)"] ?? rawValue }
}

extension FetchOutcome {
    func sentence(isInFront: Bool = false) -> String {
        let place = isInFront ? "the app was in front" : "the app ran in the background"
        return switch self {
        case .newData: "\(place) and fetched new data"
        case .noData: "\(place) and found nothing new"
        case .failed: "\(place) and its fetch failed"
        case .overran: "\(place) and did not call its completion handler within 30 seconds"
        }
    }
}

extension Presentation {
    /// Whether nobody opens it: a change of a Live Activity or of widgets.
    var isUpdate: Bool { [.activityStarted, .activityUpdated, .activityEnded, .widgets].contains(self) }

    var sentence: String {
        switch self {
        case .banner: "banner"
        case .lockScreen: "lock screen"
        case .list: "notification centre"
        case .sound: "sound only"
        case .badge: "badge only"
        case .carPlay: "in the car"
        case .inApp: "within the app"
        case .activityStarted: "it started a Live Activity"
        case .activityUpdated: "it changed a Live Activity"
        case .activityEnded: "it ended a Live Activity"
        case .call: "incoming call"
        case .widgets: "it reloaded the app's widgets"
        }
    }
}
