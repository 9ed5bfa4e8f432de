/// A call of an app to its system.
public enum SystemCall: Hashable, Sendable, Codable {
    /// Asks for permission, with the raw bits of `UNAuthorizationOptions`. Answered with
    /// ``SystemReply/authorization(granted:)``.
    case requestAuthorization(options: UInt)
    /// Returns the settings. Answered with ``SystemReply/settings(_:)``.
    case notificationSettings
    /// Returns the facts that the app can read without waiting, as of all its previous calls.
    case facts
    /// Registers as an app of iOS 8 and 9 does: the bits of `UIUserNotificationType`, and its categories. The result
    /// arrives as an event, not as the reply.
    case registerUserNotificationSettings(types: UInt, categories: [CategoryRecord])
    /// Replaces the app's categories.
    case setCategories([CategoryRecord])
    /// Returns the app's categories. Answered with ``SystemReply/categories(_:)``.
    case categories
    /// Registers for pushes. The token arrives as an event, not as the reply.
    case registerForRemoteNotifications
    /// Ends the registration for pushes; the token becomes invalid.
    case unregisterForRemoteNotifications
    /// Returns the delivered notifications, newest first.
    case deliveredNotifications
    /// Removes delivered notifications; unknown identifiers are ignored.
    case removeDelivered(identifiers: [String])
    /// Removes all delivered notifications of the app.
    case removeAllDelivered
    /// Schedules a local notification, or delivers it at once.
    case add(RequestRecord)
    /// Returns the pending requests in the order in which they fire.
    case pendingRequests
    /// Removes pending requests; unknown identifiers are ignored.
    case removePending(identifiers: [String])
    /// Removes all pending requests of the app.
    case removeAllPending
    /// Sets the badge. 0 clears it and, if there was one, the app's entries in the notification centre.
    case setBadge(Int)
    /// Removes the badge; the app's entries stay in the notification centre.
    case removeBadge
    /// Reads from the app's small store, which survives the process but not the removal of the app.
    case readStorage(key: String)
    /// Returns the keys of that store which begin so. Answered with ``SystemReply/storageKeys(_:)``.
    case storageKeys(prefix: String)
    /// A location request.
    case location(LocationCall)
    /// A call of ActivityKit.
    case liveActivity(LiveActivityCall)
    /// Writes to the app's small store; nil removes.
    case writeStorage(key: String, value: String?)
    /// Opens a URL with the handler of its scheme, or of its domain; with `linksOnly`, only with an app that claims its domain.
    /// Answered with ``SystemReply/opened(_:)``, also if it is only read, which opens nothing.
    case open(url: String, linksOnly: Bool = false)
    /// Whether the app may know that the device has a handler for the URL. Answered with ``SystemReply/opened(_:)``.
    case canOpen(url: String)
    /// Sets the shortest time between background fetches, in seconds; nil for no fetches.
    case setFetchInterval(seconds: Double?)
    /// Replaces the quick actions that the app sets at run time.
    case setShortcuts([ShortcutRecord])
    /// Returns the quick actions that the app has set at run time. Answered with ``SystemReply/shortcuts(_:)``.
    case shortcuts
    /// Shows an in-app view until the user touches it or ``hideInApp(id:)``. Answered with ``SystemReply/failed(_:)``
    /// while the app is not in the foreground, or already shows one.
    case showInApp(InAppRecord)
    /// Waits for the end of an in-app view. Answered with ``SystemReply/inAppEnded(byTap:)``.
    case awaitInAppEnd(id: String)
    /// Removes the in-app view with this id, if it is still shown.
    case hideInApp(id: String)
    /// Shows an alert in front of the app's others, or changes the one with its id.
    case showAlert(AlertRecord)
    /// Removes the alert with this id, if it is still shown.
    case hideAlert(id: String)
    /// A call of the content extension whose notification is expanded.
    case contentExtension(ContentExtensionCall)
    /// Whether the app has work that it finishes in the background: it is not suspended before the work is done or its
    /// time has expired.
    case keepRunning(Bool)
    /// A call of PushKit.
    case pushKit(PushKitCall)
    /// A call of CallKit or LiveCommunicationKit.
    case callKit(CallKitCall)
    /// Tells of a mistake in the app's code that the frameworks have found.
    case warn(String)
}
