public import Foundation
public import PushModel
public import SystemPort

// What a person does with the device and its notifications.

extension Device {
    /// Taps a notification on the banner or in the list, or what the app in front shows above its page. On a locked device
    /// a notification opens once that is unlocked.
    ///
    /// - Parameter id: of the notification (``ShownNotification/id``); for a push its apns-id. Or ``ShownInApp/id``.
    /// - Returns: false if it is not there any more.
    @discardableResult
    public func tap(_ id: String) -> Bool {
        update { state, effects in state.tap(id, &effects) != .notThere }
    }

    /// Taps a notification on the banner or in the list.
    ///
    /// - Returns: false if it is not there any more.
    @discardableResult
    public func tap(_ shown: ShownNotification) -> Bool { tap(shown.id) }

    /// Presses a notification long: its expanded view opens, with the app's content extension if there is one.
    ///
    /// - Returns: the buttons of its expanded view; empty if it is not there any more.
    @discardableResult
    public func longPress(_ id: String) -> [ActionRecord] {
        update { state, effects in state.expand(id, &effects) }
    }

    /// Presses the system's button for media in the expanded view: the content extension plays, or pauses.
    ///
    /// - Returns: false if nothing is expanded, or its content extension shows no such button.
    @discardableResult
    public func pressPlayPause() -> Bool {
        update { state, effects in state.pressPlayPause(&effects) }
    }

    /// The buttons of a notification where there is little room, as on its banner.
    ///
    /// - Returns: the first of its category's; empty if it is not there any more.
    public func compactButtons(of id: String) -> [ActionRecord] {
        read { state in
            state.entries.first { $0.shown.id == id }.map { state.compactButtons(of: $0.shown) } ?? []
        }
    }

    /// Closes the expanded view.
    public func closeExpanded() {
        update { state, effects in state.collapse(&effects) }
    }

    /// Chooses a button of a notification.
    ///
    /// - Parameters:
    ///   - action: the identifier of the button.
    ///   - id: of the notification.
    /// - Returns: what became of it.
    @discardableResult
    public func choose(_ action: String, on id: String) -> PersonOutcome {
        update { state, effects in state.choose(action, on: id, text: nil, &effects) }
    }

    /// Writes an answer to a notification and sends it.
    ///
    /// - Parameters:
    ///   - text: what the person writes.
    ///   - action: the identifier of the button that asks for text.
    ///   - id: of the notification.
    /// - Returns: what became of it.
    @discardableResult
    public func reply(_ text: String, with action: String, to id: String) -> PersonOutcome {
        update { state, effects in state.choose(action, on: id, text: text, &effects) }
    }

    /// Swipes a notification away, or what the app in front shows above its page.
    ///
    /// - Returns: false if it is not there any more.
    @discardableResult
    public func dismiss(_ id: String) -> Bool {
        update { state, effects in state.dismiss(id, &effects) != .notThere }
    }

    /// Clears the notification centre. Apps do not hear of it.
    public func clearAll() {
        update { state, effects in state.clearAll(&effects) }
    }

    /// Flicks the banner up: it goes, its entry in the list stays, and the app hears nothing.
    public func flickBanner() {
        update { state, effects in state.hideBanner(&effects) }
    }

    /// Follows a link: the app that has the URL's scheme comes to the front and hears of it.
    ///
    /// Schemes of the system, as `https`, are the system's; others belong to the app that declares them in the
    /// `CFBundleURLTypes` of its Info.plist.
    ///
    /// - Returns: false for a scheme that nobody has, and on a locked device.
    @discardableResult
    public func openURL(_ url: URL) -> Bool {
        update { state, effects in state.openURL(url.absoluteString, &effects) }
    }

    /// Opens an app's own notification settings.
    ///
    /// - Parameters:
    ///   - bundleID: whose settings.
    ///   - id: the notification from which it is done; nil for the system's settings.
    /// - Returns: false if the app did not ask for `.providesAppNotificationSettings`, or the device is locked.
    @discardableResult
    public func openNotificationSettings(of bundleID: String, from id: String? = nil) -> Bool {
        update { state, effects in state.openSettings(of: bundleID, from: id, &effects) }
    }

    /// Locks the device: the app in front goes to the background, and the device sleeps. The gateway then groups pushes of
    /// priority 5 for it and keeps those of priority 1; that a locked device sleeps is our choice.
    public func lock() {
        update { state, effects in state.lock(&effects) }
    }

    /// Unlocks the device: what waited for it happens.
    public func unlock() {
        update { state, effects in state.unlock(&effects) }
    }

    /// Switches the device off and on.
    public func reboot() {
        update { state, effects in state.reboot(&effects) }
    }

    // MARK: Permission and settings

    /// Answers the permission prompt on the screen; does nothing if there is none.
    public func answerPrompt(_ allow: Bool) {
        update { state, effects in state.answerPrompt(allow, &effects) }
    }

    /// What happens when the next app asks for permission.
    public func setPrompts(_ policy: PromptPolicy) {
        update { state, _ in state.prompts = policy }
    }

    /// The switch "Allow Notifications" of an app, and the choice between Keep and Turn Off of a provisional one.
    public func setNotifications(of bundleID: String, allowed: Bool) {
        update { state, effects in state.allow(bundleID, allowed, &effects) }
    }

    /// Changes an app's notification settings one by one.
    public func changeSettings(of bundleID: String, _ change: @Sendable (inout SettingsRecord) -> Void) {
        update { state, effects in state.change(bundleID, change, &effects) }
    }

    /// An app's notification settings; nil if it is not installed.
    public func settings(of bundleID: String) -> SettingsRecord? { read { $0.apps[bundleID]?.settings } }

    /// When the scheduled summary comes (iOS 15 and later); 8:00 and 18:00 at first, with no times there is none.
    ///
    /// An app takes part once `changeSettings(of:)` has set its `scheduledDelivery`: its passive and active
    /// notifications wait for the next summary, the time-sensitive and critical ones come at once.
    public func setSummaryTimes(_ times: [TimeOfDay]) {
        update { state, effects in
            state.summaryTimes = times
            if times.isEmpty { state.showSummary(&effects) } else { state.planSummary(&effects) }
        }
    }

    /// Whether content-available pushes may wake the app.
    public func setBackgroundRefresh(of bundleID: String, allowed: Bool) {
        update { state, effects in
            state.apps[bundleID]?.mayRefreshInBackground = allowed
            state.sendFacts(bundleID, &effects)
        }
    }

    /// The switch between "Never" and "While Using the App" in an app's location settings.
    public func setLocationAccess(of bundleID: String, allowed: Bool) {
        setLocationAccess(of: bundleID, to: allowed ? .whenInUse : .denied)
    }

    /// An app's location settings: "Never" (`denied`), "Ask Next Time", "While Using the App", "Always", or `restricted`
    /// as by parental controls. At first the app was not asked about (`notDetermined`).
    public func setLocationAccess(of bundleID: String, to access: LocationAuthorization) {
        update { state, effects in state.setLocationAccess(of: bundleID, access, &effects) }
    }

    /// What an app may know of the device's place; nil if it is not installed.
    public func locationAccess(of bundleID: String) -> LocationAuthorization? {
        read { state in state.apps[bundleID] == nil ? nil : state.locationAuthorization(of: bundleID) }
    }

    /// "Location Services", the switch for all apps; on at first. While it is off, every app is denied.
    public func setLocationServices(enabled: Bool) {
        update { state, effects in state.setLocationServices(enabled, &effects) }
    }

    /// The regions that are watched for an app, in the order in which it added them.
    public func monitoredRegions(of bundleID: String) -> [GeoRegion] {
        read { $0.apps[bundleID]?.location.watches.map(\.region) ?? [] }
    }

    /// Whether opening a running app clears its entries in the notification centre: iOS 10 does, later ones do not.
    public func setClearsDeliveredOnActivation(_ clears: Bool) {
        update { state, _ in state.profile.clearsDeliveredOnActivation = clears }
    }

    /// Whether apps can read back what the crossing of a region brought. On Apple's systems they cannot.
    public func setReadsBackLocationDeliveries(_ reads: Bool) {
        update { state, _ in state.profile.readsBackLocationDeliveries = reads }
    }

    /// The service extensions of an app that are at work crash: their pushes are shown as they came.
    public func crashServiceExtensions(of bundleID: String) {
        update { state, effects in state.crashExtensions(of: bundleID, &effects) }
    }

    /// How many silent pushes wake an app in an hour; nil for no limit.
    public func setSilentWakesPerHour(_ limit: Int?) {
        update { state, effects in
            state.profile.silentWakesPerHour = limit
            state.releaseHeld(&effects)
        }
    }

    // MARK: The device

    /// Turns a Focus on, or the present one off.
    public func setFocus(_ focus: Focus?) {
        update { state, effects in
            state.focus = focus
            state.tell(.changed(focus.map { "focus \($0.name)" } ?? "no focus"), &effects)
        }
    }

    /// Low Power Mode: silent pushes wait for its end.
    public func setLowPower(_ isOn: Bool) {
        update { state, effects in
            state.isLowPower = isOn
            state.tell(.changed(isOn ? "low power" : "full power"), &effects)
            state.releaseHeld(&effects)
        }
    }

    /// Whether a car's screen is connected.
    public func setCarConnected(_ isConnected: Bool) {
        update { state, effects in
            state.isCarConnected = isConnected
            state.tell(.changed(isConnected ? "car connected" : "car gone"), &effects)
        }
    }

    /// The zone of the clock on the wall; GMT at first.
    public func setTimeZone(_ zone: TimeZone) {
        update { state, effects in state.setTimeZone(zone, &effects) }
    }

    /// The device's language, which picks among the strings files of apps; `en` at first.
    public func setLanguage(_ language: String) {
        update { state, effects in
            state.language = language
            for bundleID in state.apps.keys.sorted() { state.sendFacts(bundleID, &effects) }
        }
    }

    /// Carries the device to another place. At the first one nothing is known to have been crossed.
    ///
    /// Apps hear of it as far as they may: of new places, and of regions that they watch.
    public func move(to place: Coordinate) {
        update { state, effects in state.move(to: place, &effects) }
    }

    /// Puts a sound file into the `Library/Sounds` of an app's container, where it wins against one of the bundle.
    ///
    /// What is there counts only for an app whose ``InstalledApp/sounds`` are known.
    ///
    /// - Parameters:
    ///   - name: with its extension.
    ///   - length: how long it plays; nil removes the file.
    ///   - bundleID: whose container; the file goes when the app is removed.
    public func setLibrarySound(_ name: String, lasting length: Duration?, of bundleID: String) {
        update { state, _ in state.apps[bundleID]?.librarySounds[name] = length }
    }

    // MARK: Local notifications

    /// The local notifications that wait, the next to fire first.
    public func pendingRequests(of bundleID: String) -> [RequestRecord] { read { $0.pendingRequests(of: bundleID) } }

    /// When a local notification that waits fires next; nil if it does not wait, or no clock decides.
    public func nextFiring(of request: String, in bundleID: String) -> Date? {
        read { state in
            state.pending.first { $0.bundleID == bundleID && $0.request.identifier == request }?.due
        }
    }

    /// Schedules a local notification in an app's name, as the app itself would.
    ///
    /// - Throws: ``SystemPort/SystemError`` as the app would have it.
    public func addLocal(_ request: RequestRecord, to bundleID: String) throws {
        let error: SystemError? = update { state, effects in
            guard state.apps[bundleID] != nil else { return .notifications(1, "The app is not installed") }
            if let error = state.refusal(of: request, in: bundleID) { return error }
            state.add(request, to: bundleID, &effects)
            return nil
        }
        if let error { throw error }
    }

    /// Removes local notifications that wait.
    public func removeLocal(_ identifiers: [String], of bundleID: String) {
        update { state, effects in state.removePending(of: bundleID, &effects) { identifiers.contains($0) } }
    }
}
