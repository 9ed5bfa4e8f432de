import PushModel
import SystemPort

/// An app's in-app view, and the calls that wait for its end.
struct InAppView: Sendable {
    var record: InAppRecord
    var waiting: [@Sendable (SystemReply) -> Void] = []
}

// In-app views. They stay until the user touches them: iOS has no rule for them.

extension DeviceState {
    /// The visible in-app view.
    var shownInApp: ShownInApp? {
        guard let front, let record = apps[front], let view = record.inApp else { return nil }
        return ShownInApp(bundleID: front, appName: record.app.name, record: view.record)
    }

    mutating func showInApp(_ record: InAppRecord, by bundleID: String) -> SystemReply {
        guard front == bundleID, apps[bundleID]?.inApp == nil else {
            let text = "The app is not in the foreground, or already shows an in-app view."
            return .failed(SystemError(domain: "PosthornErrorDomain", code: 1, text: text))
        }
        apps[bundleID]?.inApp = InAppView(record: record)
        apps[bundleID]?.tappedInApp = nil
        if let shownInApp { emit(.inAppShown(shownInApp), app: bundleID) }
        return .done
    }

    mutating func awaitInAppEnd(
        _ id: String,
        of bundleID: String,
        _ completion: @escaping @Sendable (SystemReply) -> Void
    ) {
        guard apps[bundleID]?.inApp?.record.id == id else {
            let isTapped = apps[bundleID]?.tappedInApp == id
            return add(.reply(.inAppEnded(byTap: isTapped), completion))
        }
        apps[bundleID]?.inApp?.waiting.append(completion)
    }

    mutating func hideInApp(_ id: String, of bundleID: String) {
        guard apps[bundleID]?.inApp?.record.id == id else { return }
        endInApp(of: bundleID, .inAppEnded(byTap: false))
    }

    /// Handles a tap on the in-app view, or a swipe that dismisses it.
    ///
    /// - Returns: false if it is not on the screen.
    mutating func touchInApp(_ id: String, isTap: Bool) -> Bool {
        guard let shown = shownInApp, shown.id == id else { return false }
        emit(isTap ? .tapped(id: id) : .dismissed(id: id), app: shown.bundleID)
        if isTap { apps[shown.bundleID]?.tappedInApp = id }
        endInApp(of: shown.bundleID, .inAppEnded(byTap: isTap))
        return true
    }

    /// Ends the in-app view, because it closed or its process ended.
    mutating func endInApp(of bundleID: String, _ reply: SystemReply) {
        guard let view = apps[bundleID]?.inApp else { return }
        apps[bundleID]?.inApp = nil
        emit(.inAppHidden, app: bundleID)
        for completion in view.waiting { add(.reply(reply, completion)) }
    }
}
