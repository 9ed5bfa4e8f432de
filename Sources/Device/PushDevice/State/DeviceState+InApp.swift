import SystemPort

/// An app's in-app view, which it shows even while not visible, and the calls that wait for its end.
struct InAppViews: Sendable {
    private(set) var shown: InAppRecord?
    private var waiting: [SystemReplyHandler] = []
    /// The last view, after the user tapped it: the process may ask late.
    private var tapped: String?

    mutating func show(_ record: InAppRecord) {
        shown = record
        tapped = nil
    }

    /// Adds a call that waits for the end of a view. Returns the reply if the view has ended already.
    mutating func wait(_ id: String, _ completion: @escaping SystemReplyHandler) -> SystemReply? {
        guard shown?.id == id else { return .inAppEnded(byTap: tapped == id) }
        waiting.append(completion)
        return nil
    }

    mutating func tap() { tapped = shown?.id }

    /// Ends the view. Returns the calls that waited.
    mutating func end() -> [SystemReplyHandler] {
        defer {
            shown = nil
            waiting = []
        }
        return waiting
    }
}

// In-app views. They stay until the user touches them: iOS has no rule for them.

extension DeviceState {
    /// The visible in-app view.
    var shownInApp: ShownInApp? {
        guard let front = springboard.front, let record = apps[front], let view = record.inApp.shown else { return nil }
        return ShownInApp(bundleID: front, appName: record.app.name, record: view)
    }

    mutating func showInApp(_ record: InAppRecord, by bundleID: String) -> SystemReply {
        guard springboard.front == bundleID, let app = apps[bundleID], app.inApp.shown == nil else {
            let text = "The app is not in the foreground, or already shows an in-app view."
            return .failed(SystemError(domain: "PosthornErrorDomain", code: 1, text: text))
        }
        apps[bundleID]?.inApp.show(record)
        if let shownInApp { emit(.inAppShown(shownInApp), app: bundleID) }
        return .done
    }

    mutating func awaitInAppEnd(
        _ id: String,
        of bundleID: String,
        _ completion: @escaping SystemReplyHandler
    ) {
        if let reply = apps[bundleID]?.inApp.wait(id, completion) { add(.reply(reply, completion)) }
    }

    mutating func hideInApp(_ id: String, of bundleID: String) {
        guard apps[bundleID]?.inApp.shown?.id == id else { return }
        endInApp(of: bundleID, .inAppEnded(byTap: false))
    }

    /// Handles a tap on the in-app view, or a swipe that dismisses it.
    ///
    /// - Returns: false if it is not on the screen.
    mutating func touchInApp(_ id: String, isTap: Bool) -> Bool {
        guard let shown = shownInApp, shown.id == id else { return false }
        emit(isTap ? .tapped(id: id) : .dismissed(id: id), app: shown.bundleID)
        if isTap { apps[shown.bundleID]?.inApp.tap() }
        endInApp(of: shown.bundleID, .inAppEnded(byTap: isTap))
        return true
    }

    /// Ends the in-app view, because it closed or its process ended.
    mutating func endInApp(of bundleID: String, _ reply: SystemReply) {
        guard apps[bundleID]?.inApp.shown != nil, let waiting = apps[bundleID]?.inApp.end() else { return }
        emit(.inAppHidden, app: bundleID)
        for completion in waiting { add(.reply(reply, completion)) }
    }
}
