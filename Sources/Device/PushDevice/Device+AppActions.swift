public import PushModel
public import SystemPort

// Further actions of the user and the system on apps: quick actions, Handoff, background work, memory.

extension Device {
    // MARK: Quick actions

    /// Returns the quick actions that an app's icon shows (iOS 9 and later): the first four of those in its Info.plist
    /// (`UIApplicationShortcutItems`) and those that it has set.
    public func shortcuts(of bundleID: String) -> [ShortcutRecord] { read { $0.shortcuts(of: bundleID) } }

    /// Chooses the quick action of a type of an app's icon: the app comes to the foreground and performs it.
    ///
    /// - Returns: false if the icon shows no such action, or the device is locked.
    @discardableResult
    public func chooseShortcut(_ type: String, of bundleID: String) -> Bool {
        update { $0.chooseShortcut(type, of: bundleID) }
    }

    // MARK: Handoff

    /// Places a widget of an app on the home screen, whose kind has a `WidgetPushHandler`.
    ///
    /// - Returns: false before iOS 26, and for an app that gets no pushes.
    @discardableResult
    public func placeWidget(_ kind: String, of bundleID: String) -> Bool {
        update { $0.placeWidget(kind, of: bundleID) }
    }

    /// Removes a widget from the home screen. The app's last one takes the token with it.
    public func removeWidget(_ kind: String, of bundleID: String) { update { $0.removeWidget(kind, of: bundleID) } }

    /// Returns the token for pushes that reload an app's widgets; nil without widgets, and until the device has been connected.
    public func widgetToken(of bundleID: String) -> DeviceToken? { read { $0.apps[bundleID]?.widgets.token } }

    /// Continues an activity that the user began on another device: the app comes to the foreground and receives it.
    ///
    /// - Returns: false if the app does not declare its type in `NSUserActivityTypes`, or the device is locked.
    @discardableResult
    public func handOff(_ activity: ActivityRecord, to bundleID: String) -> Bool {
        update { $0.handOff(activity, to: bundleID) }
    }

    /// Continues an activity of another device whose data does not arrive: the app comes to the foreground and hears of the failure.
    ///
    /// - Returns: false if the app does not declare the type in `NSUserActivityTypes`, or the device is locked.
    @discardableResult
    public func failHandOff(of type: String, to bundleID: String) -> Bool {
        update { $0.failHandOff(of: type, to: bundleID) }
    }

    // MARK: Background work

    /// Lets an app fetch in the background now, whatever its interval is, as Xcode's "Simulate Background Fetch" does.
    ///
    /// - Returns: false if the app may not: without the background mode `fetch`, in the foreground, swiped away, with background
    ///   refresh off, in Low Power Mode, if it uses `BGTaskScheduler`, or if the system refuses to launch it (``launchRefusal(of:)``).
    @discardableResult
    public func fetchInBackground(_ bundleID: String) -> Bool { update { $0.fetchNow(bundleID) } }

    /// Finishes the transfers of an app's background session, by its identifier: the app is launched in the background if necessary,
    /// and has 30 seconds for them.
    ///
    /// - Returns: false for an app in the foreground, whose session tells its delegate itself, for one that was swiped away, and for one
    ///   that the system refuses to launch (``launchRefusal(of:)``).
    @discardableResult
    public func finishBackgroundSession(_ identifier: String, of bundleID: String) -> Bool {
        update { $0.finishTransfers(of: identifier, bundleID) }
    }

    // MARK: Memory

    /// Warns the running apps that the device is short of memory. ``terminate(_:)`` is what follows on a phone.
    public func warnOfMemory() { update { $0.warnOfMemory() } }
}
