/// What an app asks of its system.
public enum SystemCall: Hashable, Sendable, Codable {
    /// Options are the raw bits of `UNAuthorizationOptions`. Answered with ``SystemReply/authorization(granted:)``.
    case requestAuthorization(options: UInt)
    case notificationSettings
    /// What the app can know without waiting, after all that it asked for before.
    case facts
    /// As an app of iOS 8 and 9 asks: the bits of `UIUserNotificationType`, and its categories. What is granted comes as an
    /// event, not as the reply.
    case registerUserNotificationSettings(types: UInt, categories: [CategoryRecord])
    /// Replaces the app's categories.
    case setCategories([CategoryRecord])
    case categories
    /// The token comes as an event, not as the reply.
    case registerForRemoteNotifications
    case unregisterForRemoteNotifications
    /// Newest first.
    case deliveredNotifications
    case removeDelivered(identifiers: [String])
    case removeAllDelivered
    /// Schedules a local notification, or delivers it at once.
    case add(RequestRecord)
    /// In the order in which they fire.
    case pendingRequests
    case removePending(identifiers: [String])
    case removeAllPending
    /// 0 clears the badge and, if there was one, the app's entries in the notification centre.
    case setBadge(Int)
    /// Reads from the app's small store, which survives the process but not the removal of the app.
    case readStorage(key: String)
    /// What concerns the device's place.
    case location(LocationCall)
    /// Writes to the app's small store; nil removes.
    case writeStorage(key: String, value: String?)
    /// Opens a URL with what the device has for its scheme. Answered with ``SystemReply/opened(_:)``.
    case open(url: String)
    /// Shows something above the app's page, until the person touches it or ``hideInApp(id:)``. Answered with
    /// ``SystemReply/failed(_:)`` while the app is not in front, or shows something already.
    case showInApp(InAppRecord)
    /// Answered with ``SystemReply/inAppEnded(byTap:)`` when that is gone.
    case awaitInAppEnd(id: String)
    case hideInApp(id: String)
    /// From the content extension whose notification is expanded.
    case contentExtension(ContentExtensionCall)
    /// Whether the app has work that it finishes in the background: it is not suspended before that, or before its time is
    /// over.
    case keepRunning(Bool)
}
