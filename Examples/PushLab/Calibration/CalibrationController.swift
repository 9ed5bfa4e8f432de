import UIKit
import UserNotifications

/// The page that walks a person through rows of the callback matrix, records them and shares the recording.
final class CalibrationController: UITableViewController {
    private let app: AppDelegate

    private enum Section: Int, CaseIterable { case recording, rows }

    init(_ app: AppDelegate) {
        self.app = app
        super.init(style: .grouped)
        title = NSLocalizedString("Compare with the matrix", comment: "")
    }

    required init?(coder: NSCoder) { nil }

    private var recorder: CalibrationRecorder { app.log.recorder }

    /// The rows of the first section.
    private var choices: [(title: String, choose: () -> Void)] {
        let current = recorder.current.map { name in
            (title: "\(text("End")) \(name)", choose: { self.end() })
        }
        return [current].compactMap { $0 } + [
            (text("Share the recording"), { self.share { [try self.app.exportCalibration()] } }),
            (text("Delete the recording"), { self.change { try self.recorder.removeAll() } }),
        ]
    }

    // MARK: The table

    override func numberOfSections(in tableView: UITableView) -> Int { Section.allCases.count }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        section == Section.recording.rawValue ? choices.count : CalibrationStep.all.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = UITableViewCell(style: .subtitle, reuseIdentifier: nil)
        guard indexPath.section == Section.rows.rawValue else {
            cell.textLabel?.text = choices[indexPath.row].title
            return cell
        }
        let step = CalibrationStep.all[indexPath.row]
        cell.textLabel?.text = step.name
        cell.detailTextLabel?.text = "\(step.payload), \(step.act.rawValue)"
        cell.accessoryType = recorder.recorded.contains(step.name) ? .checkmark : .none
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        if indexPath.section == Section.rows.rawValue {
            explain(CalibrationStep.all[indexPath.row])
        } else {
            choices[indexPath.row].choose()
        }
    }

    // MARK: The row

    private func explain(_ step: CalibrationStep) {
        let alert = UIAlertController(title: step.name, message: app.instructions(for: step), preferredStyle: .alert)
        alert.addAction(
            UIAlertAction(title: text("Begin"), style: .default) { _ in
                self.change { try self.app.begin(step) }
            }
        )
        if !step.isLocal {
            alert.addAction(
                UIAlertAction(title: text("Share the command"), style: .default) { _ in
                    self.share { [try self.app.command(for: step)] }
                }
            )
        }
        alert.addAction(UIAlertAction(title: text("Cancel"), style: .cancel))
        present(alert, animated: true)
    }

    private func end() {
        // Not awaited: it ends with the system's answer.
        Task {
            do { try await app.endCalibrationRow() } catch { app.log.add("calibration", "\(error)") }
            tableView.reloadData()
        }
    }

    private func change(_ body: () throws -> Void) {
        do { try body() } catch { app.log.add("calibration", "\(error)") }
        tableView.reloadData()
    }

    private func share(_ items: () throws -> [Any]) {
        change {
            let items = try items()
            #if canImport(Darwin)
            let sheet = UIActivityViewController(activityItems: items, applicationActivities: nil)
            sheet.popoverPresentationController?.sourceView = tableView
            present(sheet, animated: true)
            #else
            app.log.add("calibration", "\(items.count) to share")
            #endif
        }
    }

    private func text(_ key: String) -> String { NSLocalizedString(key, comment: "") }
}

extension AppDelegate {
    /// Shows the page over the one that is visible.
    public func showCalibration() {
        guard let root = window?.rootViewController, root.presentedViewController == nil else { return }
        root.present(UINavigationController(rootViewController: CalibrationController(self)), animated: true)
    }

    /// The seconds between the beginning of a row and its notification, which the instructions name.
    private static let calibrationDelay: TimeInterval = 15

    func instructions(for step: CalibrationStep) -> String {
        step.instructions(comes: step.isLocal || (settings.schedule != nil && registrationID != nil))
    }

    /// Begins to record a row. Its notification comes from the app itself, from the service after 15 seconds if the app may push, or
    /// from the person.
    func begin(_ step: CalibrationStep) throws {
        try log.recorder.begin(step)
        endsInBackground = step.start == .terminatedBySystem
        // Not awaited: it ends with the system's or the service's answer, and a failure is in the log.
        Task {
            do {
                if step.isLocal {
                    let moment = Reminder.Moment.after(Self.calibrationDelay)
                    try await reminders.add(Reminder("calibration", step.name, moment, category: step.category))
                } else if let schedule = settings.schedule, let registrationID {
                    let date = settings.now().addingTimeInterval(Self.calibrationDelay)
                    let isProduction = settings.isProduction
                    try await schedule(try step.schedule(at: date, to: registrationID, isProduction: isProduction))
                }
            } catch {
                log.add("calibration", "\(error)")
            }
        }
    }

    /// Ends the row, and records what the notifications in the Notification Centre tell about the service extension.
    func endCalibrationRow() async throws {
        endsInBackground = false
        for notification in await UNUserNotificationCenter.current().deliveredNotifications() {
            log.recorder.add(notification)
        }
        try log.recorder.end()
    }

    /// Returns the command that pushes a row's notification to this phone.
    func command(for step: CalibrationStep) throws -> String {
        try step.curl(to: registrationID ?? "REGISTRATION_ID", isProduction: settings.isProduction)
    }

    /// Writes the recording to a file, which the share sheet takes.
    public func exportCalibration() throws -> URL {
        let file = settings.folder.appendingPathComponent("posthorn-run.json")
        try log.recorder.run().write(to: file, options: .atomic)
        return file
    }
}
