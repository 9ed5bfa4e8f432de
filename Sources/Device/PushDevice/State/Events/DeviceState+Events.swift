import PushModel
import SystemPort

// The events that apps get, and their answers.

extension DeviceState {
    /// Sends an event to the app if it is running. Without a state, the event has the app's own.
    ///
    /// `subject` is the notification that the event is about; the event goes into its journey unless `isPartOfJourney` is false.
    mutating func send(
        _ kind: SystemEvent.Kind,
        _ state: AppState? = nil,
        to bundleID: String,
        process: Int? = nil,
        as purpose: Outstanding.Purpose = .lifeCycle,
        for subject: JourneySubject? = nil,
        isPartOfJourney: Bool = true
    ) {
        guard let process = process ?? apps[bundleID]?.process else { return }
        if process == apps[bundleID]?.process { resume(bundleID) }
        let state = state ?? appState(of: bundleID)
        let event = events.add(
            Outstanding(
                purpose: purpose,
                bundleID: bundleID,
                process: process,
                state: state,
                subject: subject,
                isPartOfJourney: isPartOfJourney
            )
        )
        add(.deliver(SystemEvent(kind, state: state), event: event, process: process))
        if let limit = purpose.limit { add(.alarm(.answer(event: event), limit)) }
        // An app that never handles it is suspended eventually all the same.
        if process == apps[bundleID]?.process { planSuspension(of: bundleID) }
    }

    mutating func replied(_ reply: EventReply, to event: Int) {
        guard var waiting = events[event] else { return }
        switch reply {
        case .ran(let name):
            let kind = DeviceEvent.Kind.callback(name: name, state: waiting.state, id: waiting.subject?.id)
            emit(kind, app: waiting.bundleID)
            if waiting.isPartOfJourney {
                report(.callback(name: name, state: waiting.state), of: waiting.subject)
            }
            return
        case .returned:
            waiting.isReturned = true
            switch waiting.purpose {
            case .lifeCycle: waiting.isAnswered = true
            case .end:
                waiting.isAnswered = true
                add(.cancel(.answer(event: event)))
                add(.kill(process: waiting.process))
            case .expire(let first):
                waiting.isAnswered = true
                add(.cancel(.answer(event: event)))
                outOfTime(first)
            case .fetch, .transfers, .present, .respond, .act, .extend, .decide, .examine, .call: break
            }
        case .contentView(let view): return show(view, of: waiting.process)
        case .methodReturned: return methodReturned(waiting)
        case .fetched(let outcome) where waiting.purpose.isPresentation:
            // The centre has no delegate: the app was notified as before iOS 10. The suppression is reported next.
            report(.finished(outcome), of: waiting.subject)
            return
        case .notImplemented, .presentation, .fetched, .responded, .content, .extensionOption, .activityExamined:
            guard !waiting.isAnswered else { return }
            waiting.isAnswered = true
            if !waiting.purpose.isCall { add(.cancel(.answer(event: event))) }
            answered(reply, waiting)
        }
        events.change(event, to: waiting)
        if events[event] == nil { discardFiles(of: waiting) }
        planSuspension(of: waiting.bundleID)
        settle()
    }

    /// Deletes the files of a notification that the user acted on, once the app has handled the action or no longer
    /// can.
    mutating func discardFiles(of waiting: Outstanding) {
        if case .act(let notification, _) = waiting.purpose { discardFiles(of: notification.content) }
    }

    private mutating func answered(_ reply: EventReply, _ waiting: Outstanding) {
        guard let subject = waiting.subject else { return finished(waiting, with: reply) }
        switch (waiting.purpose, reply) {
        case (.examine(let push), .activityExamined(let problem)): carryOut(push, problem: problem)
        case (.examine(let push), _): carryOut(push, problem: nil)
        case (.call, _): answeredVoIP(waiting, reply)
        case (.decide(let act), .extensionOption(let option)): decided(act, .init(rawValue: option) ?? .dismiss)
        case (.extend(let shown, let alsoFetched), .content(let content)):
            extended(shown, alsoFetched: alsoFetched, by: waiting.process, with: content)
        case (.extend(let shown, let alsoFetched), _):
            extended(shown, alsoFetched: alsoFetched, by: waiting.process, with: nil)
        case (.present(let shown), .presentation(let options)): present(shown, options: options)
        case (.present, _): suppress(subject, profile.foregroundReason)
        case (_, .fetched(let outcome)): report(.finished(outcome), of: subject)
        default: break
        }
    }

    /// Handles an expired timeout of an event's answer.
    mutating func overran(_ event: Int) {
        guard var waiting = events[event], !waiting.isAnswered || waiting.purpose.isCall else { return }
        if case .extend = waiting.purpose { return warnExtension(event, waiting) }
        waiting.isAnswered = true
        events.change(event, to: waiting)
        switch waiting.purpose {
        case .expire(let first): outOfTime(first)
        case .end: add(.kill(process: waiting.process))
        default: unanswered(waiting)
        }
        if waiting.purpose.isFetch { suspend(waiting.bundleID) }
    }

    /// Ends the wait for an answer: the process has ended, or the event has timed out.
    mutating func unanswered(_ waiting: Outstanding, died: Bool = false) {
        guard let subject = waiting.subject else { return died ? () : reportOverrun(waiting) }
        switch waiting.purpose {
        case .fetch: fetchOverran(waiting, subject)
        case .present: suppress(subject, profile.foregroundReason)
        case .examine(let push): carryOut(push, problem: nil)
        case .call: died ? diedBeforeReport(waiting) : callTimeOver(waiting)
        case .extend(let shown, let alsoFetched):
            extended(shown, alsoFetched: alsoFetched, by: waiting.process, with: nil, crashed: died)
        case .act: if !died { endUnanswered(waiting, subject) }
        case .lifeCycle, .respond, .transfers, .end, .expire, .decide: break
        }
    }

    /// Ends an app that has not called the handler of a button.
    private mutating func endUnanswered(_ waiting: Outstanding, _ subject: JourneySubject) {
        guard apps[waiting.bundleID]?.process == waiting.process else { return }
        report(.crashed(Self.unansweredAction), of: subject)
        emit(.processEnded(reason: Self.unansweredAction), app: waiting.bundleID)
        end(waiting.bundleID, .notRunning)
    }

    private static let unansweredAction = """
        the system ended it, because it did not call the completion handler of application(_:handleActionWithIdentifier:…) within 30 seconds
        """

    /// Handles a fetch without a result: the app is suspended, and woken less often.
    private mutating func fetchOverran(_ waiting: Outstanding, _ subject: JourneySubject) {
        report(.finished(.overran), of: subject)
        apps[waiting.bundleID]?.background.wakes.spend(at: time.date)
    }

    /// Ends an extension after its last call.
    private mutating func outOfTime(_ event: Int) {
        guard var waiting = events[event], !waiting.isAnswered else { return }
        waiting.isAnswered = true
        events.change(event, to: waiting)
        unanswered(waiting)
    }

    /// Resumes the callers that wait until the apps have processed all events.
    mutating func settle() {
        guard events.isAwaited, events.all.allSatisfy({ $0.isReturned || isSuspended($0) }) else { return }
        for resume in events.takeWaiters() { add(.resume(resume)) }
    }

    /// Whether its process is suspended, and so handles nothing.
    private func isSuspended(_ waiting: Outstanding) -> Bool {
        guard let record = apps[waiting.bundleID] else { return false }
        return record.suspension.isSuspended && record.process == waiting.process
    }
}

// A process that ends by itself: the journeys it was working on record it.

extension DeviceState {
    mutating func ended(_ process: Int, _ end: ProcessEnd) {
        if let bundleID = owner(of: process) { emit(.processEnded(reason: end.description), app: bundleID) }
        if let bundleID = apps.first(where: { $0.value.process == process })?.key {
            self.end(bundleID, .notRunning, kills: false)
        }
        // The view that it provided closes with it.
        if expanded?.process == process { collapse() }
        died(process, by: end)
    }

    /// Adds the crash to the journeys that the process was working on.
    ///
    /// - Returns: the subjects that this explains.
    mutating func reportCrash(_ process: Int, _ end: ProcessEnd) -> Set<JourneySubject> {
        var reported: Set<JourneySubject> = []
        for (_, waiting) in events.of(process) {
            // The end of a service extension is reported separately.
            if case .extend = waiting.purpose { continue }
            if case .expire = waiting.purpose { continue }
            guard waiting.isPartOfJourney, let subject = waiting.subject, reported.insert(subject).inserted else {
                continue
            }
            report(.crashed(end.description), of: subject)
        }
        return reported
    }
}
