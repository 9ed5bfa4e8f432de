public import Foundation
public import PushModel
public import SystemPort

// The user's actions on the device and its notifications.

extension Device {
    /// Taps a notification on the banner or in the list, or the app's in-app view. On a locked device a notification
    /// opens once the device is unlocked.
    ///
    /// - Parameter id: the notification's id (``ShownNotification/id``; the apns-id for a push), or ``ShownInApp/id``.
    /// - Returns: false if it no longer exists.
    @discardableResult
    public func tap(_ id: String) -> Bool { update { $0.tap(id) != .notThere } }

    /// Taps a notification on the banner or in the list.
    ///
    /// - Returns: false if it no longer exists.
    @discardableResult
    public func tap(_ shown: ShownNotification) -> Bool { tap(shown.id) }

    /// Long-presses a notification: its expanded view opens, with the app's content extension if there is one.
    ///
    /// - Returns: the buttons of its expanded view; empty if the notification no longer exists.
    @discardableResult
    public func longPress(_ id: String) -> [ActionRecord] { update { $0.expand(id) } }

    /// Presses the system's media button in the expanded view: the content extension plays or pauses.
    ///
    /// - Returns: false if nothing is expanded, or its content extension shows no such button.
    @discardableResult
    public func pressPlayPause() -> Bool { update { $0.pressPlayPause() } }

    /// Returns the buttons of a notification where space is limited, as on its banner.
    ///
    /// - Returns: the first buttons of its category; empty if the notification no longer exists.
    public func compactButtons(of id: String) -> [ActionRecord] {
        read { state in state.entries[id].map { state.compactButtons(of: $0) } ?? [] }
    }

    /// Returns the buttons of a notification on the screen, without showing them; empty if it is not there.
    package func buttons(of id: String) -> [ActionRecord] {
        read { state in state.entries[id].map { state.buttons(of: $0) } ?? [] }
    }

    /// Closes the expanded view.
    public func closeExpanded() { update { $0.collapse() } }

    /// Chooses a button of a notification, by the identifiers of both.
    @discardableResult
    public func choose(_ action: String, on id: String) -> UserActionOutcome {
        update { $0.choose(action, on: id, text: nil) }
    }

    /// Writes an answer to a notification and sends it with the button that asks for text.
    @discardableResult
    public func reply(_ text: String, with action: String, to id: String) -> UserActionOutcome {
        update { $0.choose(action, on: id, text: text) }
    }

    /// Swipes away a notification, or the app's in-app view.
    ///
    /// - Returns: false if it no longer exists.
    @discardableResult
    public func dismiss(_ id: String) -> Bool { update { $0.dismiss(id) != .notThere } }

    /// Clears the notification centre. Apps are not notified.
    public func clearAll() { update { $0.clearAll() } }

    /// Flicks the banner up: the banner disappears, its entry in the list stays, and the app is not notified.
    public func flickBanner() { update { $0.hideBanner() } }

    /// Opens a URL: the app that declares its scheme comes to the foreground and receives it.
    ///
    /// The system handles its own schemes, such as `https`; others belong to the app that declares them in the
    /// `CFBundleURLTypes` of its Info.plist. From iOS 9 on, a web page whose domain an app claims
    /// (``InstalledApp/associatedDomains``) is a universal link: that app comes to the foreground, and continues a user activity.
    ///
    /// - Returns: false for a scheme that no app declares, and on a locked device.
    @discardableResult
    public func openURL(_ url: URL) -> Bool { update { $0.openURL(url.absoluteString) } }

    /// Opens an app's own notification settings: from the menu of a notification, or from the system's settings if none is named.
    ///
    /// - Returns: false if the app did not ask for `.providesAppNotificationSettings`, or the device is locked.
    @discardableResult
    public func openNotificationSettings(of bundleID: String, from id: String? = nil) -> Bool {
        update { $0.openSettings(of: bundleID, from: id) }
    }

    /// Locks the device: the app in the foreground goes to the background, and the device sleeps. The gateway then
    /// groups pushes of priority 5 for it and holds those of priority 1. That a locked device sleeps is our choice.
    public func lock() { update { $0.lock() } }

    /// Unlocks the device and performs the actions that waited for it.
    public func unlock() { update { $0.unlock() } }

    /// Restarts the device.
    public func reboot() { update { $0.reboot() } }

    // MARK: Permission and settings

    /// Answers the permission prompt on the screen, if any.
    public func answerPrompt(_ allow: Bool) { update { $0.answerPrompt(allow) } }

    /// Sets how permission prompts are answered from now on.
    public func setPrompts(_ policy: PromptPolicy) { update { $0.setPrompts(policy) } }

    /// Sets "Allow Notifications" of an app, or answers Keep and Turn Off for a provisional one.
    public func setNotifications(of bundleID: String, allowed: Bool) { update { $0.allow(bundleID, allowed) } }

    /// Changes individual notification settings of an app.
    public func changeSettings(of bundleID: String, _ change: @Sendable (inout SettingsRecord) -> Void) {
        update { $0.change(bundleID, change) }
    }

    /// An app's notification settings; nil if it is not installed.
    public func settings(of bundleID: String) -> SettingsRecord? { read { $0.apps[bundleID]?.settings } }

    /// Returns the categories that an app has registered.
    package func categories(of bundleID: String) -> [CategoryRecord] { read { $0.apps[bundleID]?.categories ?? [] } }

    /// Sets the times of the scheduled summary (iOS 15 and later); initially 8:00 and 18:00. An empty list disables it.
    ///
    /// An app takes part once `changeSettings(of:)` has set its `scheduledDelivery`: its passive and active
    /// notifications wait for the next summary; time-sensitive and critical ones are delivered at once.
    public func setSummaryTimes(_ times: [TimeOfDay]) { update { $0.setSummaryTimes(times) } }

    /// Sets whether content-available pushes and background fetches may wake the app.
    public func setBackgroundRefresh(of bundleID: String, allowed: Bool) {
        update { $0.setBackgroundRefresh(of: bundleID, allowed) }
    }

    /// Sets an app's location access to "While Using the App" or "Never".
    public func setLocationAccess(of bundleID: String, allowed: Bool) {
        setLocationAccess(of: bundleID, to: allowed ? .whenInUse : .denied)
    }

    /// Sets an app's location access: "Never" (`denied`), "Ask Next Time", "While Using the App", "Always", or
    /// `restricted` as by parental controls. Initially the user has not been asked (`notDetermined`).
    public func setLocationAccess(of bundleID: String, to access: LocationAuthorization) {
        update { $0.setLocationAccess(of: bundleID, access) }
    }

    /// Returns an app's location access; nil if it is not installed.
    public func locationAccess(of bundleID: String) -> LocationAuthorization? {
        read { state in state.apps[bundleID] == nil ? nil : state.locationAuthorization(of: bundleID) }
    }

    /// Sets "Location Services", the switch for all apps; initially on. While it is off, every app is denied.
    public func setLocationServices(enabled: Bool) { update { $0.setLocationServices(enabled) } }

    /// Returns the regions that are monitored for an app, in the order in which it added them.
    public func monitoredRegions(of bundleID: String) -> [GeoRegion] {
        read { $0.apps[bundleID]?.location.regions.watches.map(\.region) ?? [] }
    }

    /// Sets whether opening a running app clears its entries in the notification centre: iOS 10 does, later versions do
    /// not.
    public func setClearsDeliveredOnActivation(_ clears: Bool) {
        update { $0.changeProfile { $0.clearsDeliveredOnActivation = clears } }
    }

    /// Sets whether apps can read back notifications delivered by a region trigger. On Apple's systems they cannot.
    public func setReadsBackLocationDeliveries(_ reads: Bool) {
        update { $0.changeProfile { $0.readsBackLocationDeliveries = reads } }
    }

    /// Crashes an app's running service extensions: their pushes are shown unmodified.
    public func crashServiceExtensions(of bundleID: String) { update { $0.crashExtensions(of: bundleID) } }

    /// Sets how many silent pushes may wake an app per hour; nil for no limit.
    public func setSilentWakesPerHour(_ limit: Int?) {
        update { state in
            state.changeProfile { $0.silentWakesPerHour = limit }
            state.releaseHeld()
        }
    }

    // MARK: The device

    /// Activates a Focus; nil turns the active one off.
    public func setFocus(_ focus: Focus?) { update { $0.setFocus(focus) } }

    /// Sets Low Power Mode, during which silent pushes are held and nothing is fetched in the background.
    public func setLowPower(_ isOn: Bool) { update { $0.setLowPower(isOn) } }

    /// Connects or disconnects a car's screen.
    public func setCarConnected(_ isConnected: Bool) { update { $0.setCarConnected(isConnected) } }

    /// Sets the device's time zone; initially GMT.
    public func setTimeZone(_ zone: TimeZone) { update { $0.setTimeZone(zone) } }

    /// Corrects the time as a carrier does, which apps hear of (`applicationSignificantTimeChange(_:)`). The clock stays as it is.
    public func correctTime() { update { $0.correctTime() } }

    /// Sets the country of the device's App Store by its three letters (ISO 3166-1), initially `USA`. With `CHN` an app gets a caution
    /// when it uses CallKit; nothing else changes.
    public func setStorefront(_ country: String) { update { $0.setStorefront(country) } }

    /// Sets the device's language, which selects among the strings files of apps; initially `en`.
    public func setLanguage(_ language: String) { update { $0.setLanguage(language) } }

    /// Moves the device to another location, on a floor of a building if one is known. The first location causes no region crossings.
    ///
    /// Apps are notified as far as they are permitted: of locations, and of the regions that they monitor.
    public func move(to place: Coordinate, floor: Int? = nil) { update { $0.move(to: place, floor: floor) } }

    /// Puts a sound file into the `Library/Sounds` of an app's container, where it takes precedence over one in the bundle, or
    /// removes it if the length is nil. It is deleted when the app is removed.
    ///
    /// It matters only for an app whose ``InstalledApp/sounds`` are known. The name has its extension.
    public func setLibrarySound(_ name: String, lasting length: Duration?, of bundleID: String) {
        update { $0.apps[bundleID]?.librarySounds[name] = length }
    }

    // MARK: Local notifications

    /// Returns the pending local notifications, the next to fire first.
    public func pendingRequests(of bundleID: String) -> [RequestRecord] { read { $0.pendingRequests(of: bundleID) } }

    /// Returns when a pending local notification fires next; nil if it is not pending, or has no time trigger.
    public func nextFiring(of request: String, in bundleID: String) -> Date? {
        read { state in state.pending.of(bundleID).first { $0.request.identifier == request }?.due }
    }

    /// Schedules a local notification on behalf of an app.
    ///
    /// - Throws: the `SystemError` that the app would receive.
    public func addLocal(_ request: RequestRecord, to bundleID: String) throws {
        let error: SystemError? = update { state in
            guard state.apps[bundleID] != nil else {
                return .notifications(.notificationsNotAllowed, "The app is not installed")
            }
            if let error = state.refusal(of: request, in: bundleID) { return error }
            state.add(request, to: bundleID)
            return nil
        }
        if let error { throw error }
    }

    /// Removes pending local notifications.
    public func removeLocal(_ identifiers: [String], of bundleID: String) {
        update { state in state.removePending(of: bundleID) { identifiers.contains(where: $0.isSame) } }
    }
}

/// The outcome of a user's action on a notification.
public enum UserActionOutcome: Hashable, Sendable {
    case done
    /// It is performed once the device is unlocked.
    case waitsForUnlock
    /// The notification no longer exists.
    case notThere
    /// Its category has no such button, is not registered, or the button asks for text.
    case noSuchAction
}
