import DeviceLink
import PushModel

/// The widgets of an app that the user has placed on the home screen and that have a push handler.
struct PlacedWidgets: Sendable {
    /// The kinds of the widgets.
    fileprivate(set) var kinds: Set<String> = []
    /// The token for pushes that reload them; nil until the courier has issued it.
    fileprivate(set) var token: DeviceToken?
}

// Widgets with a `WidgetPushHandler`. The device draws none, and runs no WidgetKit extension: it has the token that the handler would be
// given, and takes the pushes. Their payload is not examined.
//
// Source: Apple, "Updating widgets with WidgetKit push notifications", `WidgetPushHandler`, read November 2026.
extension DeviceState {
    /// Places a widget on the home screen; the first one of an app gets it a token.
    ///
    /// - Returns: false before iOS 26, and for an app that gets no pushes.
    mutating func placeWidget(_ kind: String, of bundleID: String) -> Bool {
        guard profile.takesWidgetPushes, let record = apps[bundleID], record.app.hasPushEntitlement else {
            return false
        }
        apps[bundleID]?.widgets.kinds.insert(kind)
        emitChange("placed the widget \(kind)", app: bundleID)
        if record.widgets.kinds.isEmpty {
            registerTopic(widgetTopic(of: bundleID), of: record.app)
        }
        return true
    }

    /// Removes a widget from the home screen, and the token with the last one of an app.
    mutating func removeWidget(_ kind: String, of bundleID: String) {
        guard let kinds = apps[bundleID]?.widgets.kinds, kinds.contains(kind) else { return }
        emitChange("removed the widget \(kind)", app: bundleID)
        if kinds.count == 1 { giveUpWidgets(of: bundleID) }
        apps[bundleID]?.widgets.kinds.remove(kind)
    }

    /// Gives up all widgets of an app, as for one that is removed or changes its environment.
    mutating func giveUpWidgets(of bundleID: String) {
        guard let record = apps[bundleID], !record.widgets.kinds.isEmpty else { return }
        unregisterTopic(widgetTopic(of: bundleID), of: record.app)
        apps[bundleID]?.widgets = PlacedWidgets()
    }

    /// Handles a token from the courier for a topic of widgets.
    ///
    /// - Returns: false for another topic.
    mutating func receivedWidgetToken(_ token: DeviceToken, topic: String, environment: APNSEnvironment) -> Bool {
        guard let bundleID = APNSPushType.widgets.bundleID(of: topic) else { return false }
        guard let record = apps[bundleID], record.app.environment == environment, !record.widgets.kinds.isEmpty else {
            return apps[topic] == nil
        }
        apps[bundleID]?.widgets.token = token
        emitChange("widget token: \(token.abbreviation)…", app: bundleID)
        return true
    }

    /// Takes a push of type `widgets`.
    mutating func reloadWidgets(_ record: AppRecord, for subject: JourneySubject) {
        guard !record.widgets.kinds.isEmpty else { return suppress(subject, .noWidgets) }
        let kinds = record.widgets.kinds.sorted().joined(separator: ", ")
        emitChange("reloaded the widgets \(kinds)", app: record.app.bundleID)
        report(.presented(.widgets), of: subject)
    }

    private func widgetTopic(of bundleID: String) -> String { APNSPushType.widgets.topic(of: bundleID) }
}
