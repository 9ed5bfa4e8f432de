import PushModel
import SystemPort

/// What an app shows above its own page, and who waits for its end.
struct InAppView: Sendable {
    var record: InAppRecord
    var waiting: [@Sendable (SystemReply) -> Void] = []
}

// What apps show above their own pages. It stays until the person touches it: iOS has no rule for it.

extension DeviceState {
    /// What is to be seen of it at this moment.
    var shownInApp: ShownInApp? {
        guard let front, let record = apps[front], let view = record.inApp else { return nil }
        return ShownInApp(bundleID: front, appName: record.app.name, record: view.record)
    }

    mutating func showInApp(_ record: InAppRecord, by bundleID: String, _ effects: inout Effects) -> SystemReply {
        guard front == bundleID, apps[bundleID]?.inApp == nil else {
            let text = "The app is not in front, or shows something above its page already."
            return .failed(SystemError(domain: "PosthornErrorDomain", code: 1, text: text))
        }
        apps[bundleID]?.inApp = InAppView(record: record)
        apps[bundleID]?.tappedInApp = nil
        if let shownInApp { tell(.inAppShown(shownInApp), app: bundleID, &effects) }
        return .done
    }

    mutating func awaitInAppEnd(
        _ id: String,
        of bundleID: String,
        _ completion: @escaping @Sendable (SystemReply) -> Void,
        _ effects: inout Effects
    ) {
        guard apps[bundleID]?.inApp?.record.id == id else {
            let isTapped = apps[bundleID]?.tappedInApp == id
            return effects.append(.reply(.inAppEnded(byTap: isTapped), completion))
        }
        apps[bundleID]?.inApp?.waiting.append(completion)
    }

    mutating func hideInApp(_ id: String, of bundleID: String, _ effects: inout Effects) {
        guard apps[bundleID]?.inApp?.record.id == id else { return }
        endInApp(of: bundleID, .inAppEnded(byTap: false), &effects)
    }

    /// The person taps it, or sweeps it away.
    ///
    /// - Returns: false if it is not on the screen.
    mutating func touchInApp(_ id: String, isTap: Bool, _ effects: inout Effects) -> Bool {
        guard let shown = shownInApp, shown.id == id else { return false }
        tell(isTap ? .tapped(id: id) : .dismissed(id: id), app: shown.bundleID, &effects)
        if isTap { apps[shown.bundleID]?.tappedInApp = id }
        endInApp(of: shown.bundleID, .inAppEnded(byTap: isTap), &effects)
        return true
    }

    /// It is gone, or the process that showed it is.
    mutating func endInApp(of bundleID: String, _ reply: SystemReply, _ effects: inout Effects) {
        guard let view = apps[bundleID]?.inApp else { return }
        apps[bundleID]?.inApp = nil
        tell(.inAppHidden, app: bundleID, &effects)
        for completion in view.waiting { effects.append(.reply(reply, completion)) }
    }
}
