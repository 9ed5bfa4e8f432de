import PushModel
import SystemPort

// The alerts of apps. An alert belongs to its app: it is on the screen while the app is in front and not locked away, stays while
// the app is in the background, and goes with the process. A newer alert of an app covers its older ones.

/// The alerts of an app, the one in front last, and which have been on the screen.
struct AppAlerts: Sendable {
    private var all: [(record: AlertRecord, wasSeen: Bool)] = []

    /// The alert in front of the others.
    var front: AlertRecord? { all.last?.record }

    private func place(of id: String) -> Int? { all.firstIndex { $0.record.id == id } }

    /// Changes the alert with the same id. Returns whether the user sees the change; nil if there is no such alert.
    mutating func change(_ record: AlertRecord) -> Bool? {
        guard let place = place(of: record.id) else { return nil }
        defer { all[place].record = record }
        return all[place].wasSeen && all[place].record != record
    }

    mutating func add(_ record: AlertRecord) { all.append((record, false)) }

    /// Records that the one in front is on the screen. Returns whether it is for the first time.
    mutating func seeFront() -> Bool {
        guard let last = all.indices.last, !all[last].wasSeen else { return false }
        all[last].wasSeen = true
        return true
    }

    /// Replaces the text in a field of the alert in front.
    mutating func write(_ text: String, field: Int) {
        if let last = all.indices.last { all[last].record.fields[field].text = text }
    }

    /// Removes an alert. Returns whether it was seen; nil if there is none with this id.
    mutating func remove(_ id: String) -> Bool? { place(of: id).map { all.remove(at: $0).wasSeen } }

    /// Removes all. Returns whether one was seen.
    mutating func removeAll() -> Bool {
        defer { all = [] }
        return all.contains(where: \.wasSeen)
    }
}

extension DeviceState {
    /// The alert on the screen.
    var shownAlert: ShownAlert? {
        guard let front = springboard.front, let record = apps[front], let alert = record.alerts.front else {
            return nil
        }
        return ShownAlert(bundleID: front, appName: record.app.name, record: alert)
    }

    /// Adds an alert in front of the app's others, or changes it.
    mutating func showAlert(_ record: AlertRecord, by bundleID: String) {
        if let isSeen = apps[bundleID]?.alerts.change(record) {
            if isSeen { emit(.alertChanged, app: bundleID) }
        } else {
            apps[bundleID]?.alerts.add(record)
            alertsSeen(of: bundleID)
        }
    }

    /// Notes that the app's front alert is on the screen, if it is.
    mutating func alertsSeen(of bundleID: String) {
        guard let shown = shownAlert, shown.bundleID == bundleID, apps[bundleID]?.alerts.seeFront() == true else {
            return
        }
        emit(.alertShown(shown), app: bundleID)
    }

    mutating func hideAlert(_ id: String, of bundleID: String) {
        guard let wasSeen = apps[bundleID]?.alerts.remove(id) else { return }
        if wasSeen { emit(.alertHidden, app: bundleID) }
        alertsSeen(of: bundleID)
    }

    /// Removes the alerts of a process that has ended.
    mutating func endAlerts(of bundleID: String) {
        if apps[bundleID]?.alerts.removeAll() == true { emit(.alertHidden, app: bundleID) }
    }

    /// Handles a tap on a button of the alert on the screen: the alert closes, and the app is told.
    mutating func tapAlertButton(_ title: String) throws(AlertProblem) {
        let shown = try reachableAlert()
        let named = shown.record.buttons.indices.filter { shown.record.buttons[$0].title == title }
        guard let first = named.first else { throw .noSuchButton(title, shown.record) }
        guard let place = named.first(where: { shown.record.buttons[$0].isEnabled }) else {
            throw .disabled(shown.record.buttons[first].title, shown.record)
        }
        let bundleID = shown.bundleID
        emit(.alertButtonTapped(title: title), app: bundleID)
        hideAlert(shown.record.id, of: bundleID)
        send(.alertAnswered(id: shown.record.id, button: place), to: bundleID)
    }

    /// Replaces the text in a field of the alert on the screen, counted from 0, from the top.
    ///
    /// - Throws: the reason if there is no such field to touch.
    mutating func writeInAlert(_ text: String, field place: Int) throws(AlertProblem) {
        let shown = try reachableAlert()
        guard shown.record.fields.indices.contains(place) else { throw .noSuchField(place, shown.record) }
        let bundleID = shown.bundleID
        apps[bundleID]?.alerts.write(text, field: place)
        let field = AlertRecord.Field(text: text, isSecure: shown.record.fields[place].isSecure)
        emit(.alertTextEntered(field.visibleText), app: bundleID)
        send(.alertEdited(id: shown.record.id, field: place, text: text), to: bundleID)
    }

    /// Returns the alert that the user can touch.
    private func reachableAlert() throws(AlertProblem) -> ShownAlert {
        if springboard.isLocked { throw .locked }
        if let prompt = promptQueue.front { throw .behindPrompt(prompt.text) }
        guard let shownAlert else { throw .noAlert(springboard.front.flatMap { apps[$0]?.app.name }) }
        return shownAlert
    }
}
