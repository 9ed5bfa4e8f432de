import PushModel

extension RunFile.Entry {
    /// Creates an entry without number and state; nil for an event that the timeline has already in another form.
    init?(_ observation: DeviceEventFeed.Observation) {
        switch observation {
        case .event(let event): self.init(event)
        case .journey(let event, let subject): self.init(event, of: subject)
        }
    }

    private init(_ event: DeviceEvent) {
        self.init(date: event.date, event: event.kind.name, detail: event.kind.detail)
        app = event.app
        if case .callback(_, let state, _) = event.kind { self.state = state.rawValue }
        notification = event.kind.notification
    }

    private init?(_ event: JourneyEvent, of subject: JourneySubject) {
        guard let words = event.kind.words else { return nil }
        self.init(date: event.date, event: words.event, detail: words.detail, notification: subject.id)
    }
}

extension JourneyEvent.Kind {
    /// The event's name and details; nil for what a device reports as its own event too, and what others report.
    fileprivate var words: (event: String, detail: String)? {
        switch self {
        case .coalesced: ("coalesced", "")
        case .expired: ("expired", "")
        case .woken(let state): ("woken", state.rawValue)
        case .finished(let outcome): ("fetchFinished", outcome.rawValue)
        case .serviceExtension(let outcome): ("serviceExtension", outcome.rawValue)
        case .crashed(let how): ("crashed", how)
        case .suppressed(let reason): ("suppressed", reason.rawValue)
        case .notDecoded(let problem): ("notDecoded", problem)
        case .presented(let presentation): ("presented", presentation.rawValue)
        case .replied(let count): ("replied", String(count))
        case .scheduled: ("scheduled", "")
        case .replaced(let id): ("replaced", id)
        case .evicted(let limit): ("evicted", String(limit))
        case .fired: ("fired", "")
        case .accepted, .targeted, .sent, .refused, .retried, .paused, .withdrawn, .quietHours, .stored, .delivered,
            .callback, .opened, .acted, .dismissed, .takenBack:
            nil
        }
    }
}

extension DeviceEvent.Kind {
    /// The name of the event: that of its case, or of a call's step, such as `callRinging`.
    package var name: String {
        if case .call(let step, _, _) = self {
            "call" + step.rawValue.prefix(1).uppercased() + step.rawValue.dropFirst()
        } else {
            Mirror(reflecting: self).children.first?.label ?? "\(self)"
        }
    }

    package var detail: String {
        switch self {
        case .disconnected(let text), .processEnded(let text), .alertTextEntered(let text),
            .alertButtonTapped(let text),
            .activityTapped(let text), .callback(let text, _, _), .acted(_, let text), .changed(let text),
            .warning(let text):
            text
        case .promptShown(let prompt): prompt.text
        case .promptAnswered(let allowed): allowed ? "allowed" : "denied"
        case .tokenReceived(let token, let environment): "\(token.abbreviation)… \(environment.rawValue)"
        case .conditionChanged(let condition): condition.rawValue
        case .bannerShown(let shown), .listed(let shown): [shown.title, shown.body].line
        case .inAppShown(let shown): "\(shown.title) · \(shown.body)"
        case .alertShown(let shown): ([shown.title, shown.message] + shown.buttons.map { "[\($0)]" }).line
        case .activity(let shown, let change): "\(change.rawValue) · \(shown.line)"
        case .activityAlerted(let shown, let text): "\(text) · \(shown.line)"
        case .activityTokenReceived(let name, let token): "\(name) \(token.abbreviation)…"
        case .call(_, let call, let detail): [call.name, detail].line
        case .soundPlayed(let name): name ?? "default"
        case .badgeChanged(let badge): String(badge)
        case .connected, .suspended, .pushArrived, .bannerHidden, .inAppHidden, .alertChanged, .alertHidden, .tapped,
            .dismissed:
            ""
        }
    }

    /// The id of its notification or activity.
    package var notification: String? {
        switch self {
        case .pushArrived(let id), .tapped(let id), .acted(let id, _), .dismissed(let id): id
        case .callback(_, _, let id): id
        case .bannerShown(let shown), .listed(let shown): shown.id
        case .activity(let shown, _), .activityAlerted(let shown, _): shown.id
        default: nil
        }
    }
}

extension [String] {
    /// The texts that are not empty, in one line.
    var line: String { filter { !$0.isEmpty }.joined(separator: " · ") }
}
