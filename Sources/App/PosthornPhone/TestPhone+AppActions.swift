public import Foundation
public import PushDevice
public import SystemPort

// What the phone notices, and what the user and the system do with an app. An action that the phone refuses fails the test: nothing
// would happen on a phone either. To examine a refusal, ask the device: `phone.device.openURL(url)` returns false.

extension TestPhone {
    /// Turns the phone: apps that follow the heading are notified.
    ///
    /// - Parameter degrees: the direction in which the top of the phone points, clockwise from north.
    public func turn(to degrees: Double) async { await perform { $0.turn(to: degrees) } }

    /// Sets the Bluetooth beacons near the phone, initially none.
    public func setBeacons(_ beacons: [NearbyBeacon]) async { await perform { $0.setBeacons(beacons) } }

    /// Sets "Precise Location" of an app in Settings (iOS 14 and later).
    public func setPreciseLocation(of app: InstalledApp, allowed: Bool) async {
        await perform { $0.setPreciseLocation(of: app.bundleID, allowed: allowed) }
    }

    /// Warns the running apps that the phone is short of memory.
    public func warnOfMemory() async { await perform { $0.warnOfMemory() } }

    /// Opens a link for the user, as a tap on it does: a URL of an app's own scheme, or a universal link.
    ///
    /// - Parameters:
    ///   - url: the link. If the phone has no handler for it, or is locked, the test fails.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: false after a failure.
    @discardableResult
    public func openURL(
        _ url: URL,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        return await act("open \(url)", at: location, reason: "no app opens '\(url.scheme ?? "")' links") {
            $0.openURL(url)
        }
    }

    /// Chooses a quick action of an app's icon.
    ///
    /// - Parameters:
    ///   - type: the type of the quick action. If the icon does not show it, or the phone is locked, the test fails.
    ///   - app: the app.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: false after a failure.
    @discardableResult
    public func chooseShortcut(
        _ type: String,
        of app: InstalledApp,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        let shown = device.shortcuts(of: app.bundleID).map(\.type).joined(separator: ", ")
        let reason = "the icon of \(app.bundleID) shows \(shown.isEmpty ? "no quick actions" : shown)"
        return await act("choose the quick action '\(type)'", at: location, reason: reason) {
            $0.chooseShortcut(type, of: app.bundleID)
        }
    }

    /// Continues an activity that the user began on another device.
    ///
    /// - Parameters:
    ///   - activity: the activity. If the app does not declare its type, or the phone is locked, the test fails.
    ///   - app: the app.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: false after a failure.
    @discardableResult
    public func handOff(
        _ activity: ActivityRecord,
        to app: InstalledApp,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        let reason = "NSUserActivityTypes in the Info.plist of \(app.bundleID) does not have it"
        return await act("continue '\(activity.type)'", at: location, reason: reason) {
            $0.handOff(activity, to: app.bundleID)
        }
    }

    /// Lets an app fetch in the background now, as Xcode's "Simulate Background Fetch" does.
    ///
    /// - Parameters:
    ///   - app: the app. If it may not fetch (``PushDevice/Device/fetchInBackground(_:)`` says when), the test fails.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: false after a failure.
    @discardableResult
    public func fetchInBackground(
        _ app: InstalledApp,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        let reason =
            "\(app.bundleID) has no background mode 'fetch', is in the foreground or swiped away, or may not refresh"
        return await act("fetch in the background", at: location, reason: reason) {
            $0.fetchInBackground(app.bundleID)
        }
    }

    /// Finishes the transfers of an app's background session.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the session.
    ///   - app: the app. If it is in the foreground or was swiped away, the test fails.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: false after a failure.
    @discardableResult
    public func finishBackgroundSession(
        _ identifier: String,
        of app: InstalledApp,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        let reason = "\(app.bundleID) is in the foreground, or was swiped away"
        return await act("finish the background session '\(identifier)'", at: location, reason: reason) {
            $0.finishBackgroundSession(identifier, of: app.bundleID)
        }
    }

    private func act(
        _ words: String,
        at location: TestLocation,
        reason: String,
        _ act: (Device) -> Bool
    ) async -> Bool {
        await attempt(at: location, act) { isDone, screen in
            isDone ? nil : "Cannot \(words): \(screen.isLocked ? "the phone is locked" : reason)."
        }
    }
}
