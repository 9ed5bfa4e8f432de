import PushModel
import SystemPort

// The alerts of apps. An alert belongs to its app: it is on the screen while the app is in front and not locked away, stays while
// the app is in the background, and goes with the process. A newer alert of an app covers its older ones.

/// An alert of an app, and whether it has been on the screen.
struct AppAlert: Sendable {
    var record: AlertRecord
    var wasSeen = false
}

extension DeviceState {
    /// The alert on the screen.
    var shownAlert: ShownAlert? {
        guard let front, let record = apps[front], let alert = record.alerts.last else { return nil }
        return ShownAlert(bundleID: front, appName: record.app.name, record: alert.record)
    }

    /// Carries out an app's call. Extensions have no alerts.
    mutating func changeAlerts(_ call: SystemCall, of bundleID: String) {
        switch call {
        case .showAlert(let record): showAlert(record, by: bundleID)
        case .hideAlert(let id): hideAlert(id, of: bundleID)
        default: break
        }
    }

    /// Adds an alert in front of the app's others, or changes it.
    private mutating func showAlert(_ record: AlertRecord, by bundleID: String) {
        if let place = apps[bundleID]?.alerts.firstIndex(where: { $0.record.id == record.id }) {
            guard apps[bundleID]?.alerts[place].record != record else { return }
            apps[bundleID]?.alerts[place].record = record
            if apps[bundleID]?.alerts[place].wasSeen == true { emit(.alertChanged, app: bundleID) }
        } else {
            apps[bundleID]?.alerts.append(AppAlert(record: record))
            alertsSeen(of: bundleID)
        }
    }

    /// Notes that the app's front alert is on the screen, if it is.
    mutating func alertsSeen(of bundleID: String) {
        guard let shown = shownAlert, shown.bundleID == bundleID else { return }
        guard let last = apps[bundleID]?.alerts.indices.last, apps[bundleID]?.alerts[last].wasSeen == false else {
            return
        }
        apps[bundleID]?.alerts[last].wasSeen = true
        emit(.alertShown(shown), app: bundleID)
    }

    private mutating func hideAlert(_ id: String, of bundleID: String) {
        guard let place = apps[bundleID]?.alerts.firstIndex(where: { $0.record.id == id }) else { return }
        let wasSeen = apps[bundleID]?.alerts.remove(at: place).wasSeen
        if wasSeen == true { emit(.alertHidden, app: bundleID) }
        alertsSeen(of: bundleID)
    }

    /// Removes the alerts of a process that has ended.
    mutating func endAlerts(of bundleID: String) {
        guard let alerts = apps[bundleID]?.alerts, !alerts.isEmpty else { return }
        apps[bundleID]?.alerts = []
        if alerts.contains(where: \.wasSeen) { emit(.alertHidden, app: bundleID) }
    }

    /// Handles a tap on a button of the alert on the screen: the alert closes, and the app is told.
    mutating func tapAlertButton(_ title: String) throws(AlertProblem) {
        let shown = try reachableAlert()
        let named = shown.record.buttons.indices.filter { shown.record.buttons[$0].title == title }
        guard let first = named.first else { throw AlertProblem.noSuchButton(title, shown.record) }
        guard let place = named.first(where: { shown.record.buttons[$0].isEnabled }) else {
            throw AlertProblem.disabled(shown.record.buttons[first].title, shown.record)
        }
        let bundleID = shown.bundleID
        emit(.alertButtonTapped(title: title), app: bundleID)
        hideAlert(shown.record.id, of: bundleID)
        send(.alertAnswered(id: shown.record.id, button: place), to: bundleID)
    }

    /// Replaces the text in a field of the alert on the screen.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - place: the number of the field from the top, from 0.
    /// - Throws: the reason if there is no such field to touch.
    mutating func writeInAlert(_ text: String, field place: Int) throws(AlertProblem) {
        let shown = try reachableAlert()
        guard shown.record.fields.indices.contains(place) else { throw AlertProblem.noSuchField(place, shown.record) }
        let bundleID = shown.bundleID
        if let last = apps[bundleID]?.alerts.indices.last {
            apps[bundleID]?.alerts[last].record.fields[place].text = text
        }
        let visible =
            shown.record.fields[place].isSecure ? AlertRecord.Field(text: text, isSecure: true).visibleText : text
        emit(.alertTextEntered(visible), app: bundleID)
        let event = SystemEvent.Kind.alertEdited(id: shown.record.id, field: place, text: text)
        send(event, to: bundleID)
    }

    /// Returns the alert that the user can touch.
    private func reachableAlert() throws(AlertProblem) -> ShownAlert {
        if isLocked { throw AlertProblem.locked }
        if let prompt = promptQueue.front { throw AlertProblem.behindPrompt(prompt.text) }
        guard let shownAlert else { throw AlertProblem.noAlert(front.flatMap { apps[$0]?.app.name }) }
        return shownAlert
    }
}
