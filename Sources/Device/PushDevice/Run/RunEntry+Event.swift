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
        let words = event.words
        self.init(date: event.date, event: words.event, detail: words.detail)
        app = event.app
        state = event.callbackState
        notification = words.id
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
            .callback, .opened, .acted, .dismissed:
            nil
        }
    }
}

extension DeviceEvent {
    /// The app's state during a callback.
    fileprivate var callbackState: String? {
        if case .callback(_, let state, _) = kind { state.rawValue } else { nil }
    }

    /// The event's name, its details, and the id of its notification.
    package var words: (event: String, detail: String, id: String?) {
        switch kind {
        case .connected: ("connected", "", nil)
        case .disconnected(let reason): ("disconnected", reason, nil)
        case .promptShown(let prompt): ("promptShown", prompt.text, nil)
        case .promptAnswered(let allowed): ("promptAnswered", allowed ? "allowed" : "denied", nil)
        case .tokenReceived(let token, let environment):
            ("tokenReceived", "\(token.abbreviation)… \(environment.rawValue)", nil)
        case .conditionChanged(let condition): ("conditionChanged", condition.rawValue, nil)
        case .suspended: ("suspended", "", nil)
        case .processEnded(let reason): ("processEnded", reason, nil)
        case .pushArrived(let apnsID): ("pushArrived", "", apnsID)
        case .bannerShown(let shown): ("bannerShown", shown.line, shown.id)
        case .bannerHidden: ("bannerHidden", "", nil)
        case .inAppShown(let shown): ("inAppShown", "\(shown.title) · \(shown.body)", nil)
        case .inAppHidden: ("inAppHidden", "", nil)
        case .alertShown(let shown): ("alertShown", shown.line, nil)
        case .alertChanged: ("alertChanged", "", nil)
        case .alertTextEntered(let text): ("alertTextEntered", text, nil)
        case .alertButtonTapped(let title): ("alertButtonTapped", title, nil)
        case .alertHidden: ("alertHidden", "", nil)
        case .activity(let shown, let change): ("activity", "\(change.rawValue) · \(shown.line)", shown.id)
        case .activityAlerted(let shown, let text): ("activityAlerted", "\(text) · \(shown.line)", shown.id)
        case .activityTokenReceived(let name, let token):
            ("activityTokenReceived", "\(name) \(token.abbreviation)…", nil)
        case .activityTapped(let id): ("activityTapped", id, nil)
        case .call(let step, let call, let detail): (step.eventName, [call.name, detail].line, nil)
        case .listed(let shown): ("listed", shown.line, shown.id)
        case .soundPlayed(let name): ("soundPlayed", name ?? "default", nil)
        case .badgeChanged(let badge): ("badgeChanged", String(badge), nil)
        case .callback(let name, _, let id): ("callback", name, id)
        case .tapped(let id): ("tapped", "", id)
        case .acted(let id, let action): ("acted", action, id)
        case .dismissed(let id): ("dismissed", "", id)
        case .changed(let words): ("changed", words, nil)
        case .warning(let sentence): ("warning", sentence, nil)
        }
    }
}

extension CallStep {
    /// The name of the event, such as `callRinging`.
    fileprivate var eventName: String { "call" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension [String] {
    /// Those that are not empty, in one line.
    var line: String { filter { !$0.isEmpty }.joined(separator: " · ") }
}

extension ShownAlert {
    /// Title, message and buttons in one line.
    fileprivate var line: String {
        ([title, message] + buttons.map { "[\($0)]" }).line
    }
}

extension ShownNotification {
    /// Title and body in one line.
    fileprivate var line: String { [title, body].line }
}
