public import PushModel

/// An event that the system sends to an app, with the state in which the app handles it.
public struct SystemEvent: Hashable, Sendable, Codable {
    /// The thing that happens.
    public var kind: Kind
    /// The value of `UIApplication.applicationState` while the event is handled.
    public var state: AppState

    /// Creates an event.
    public init(_ kind: Kind, state: AppState) {
        self.kind = kind
        self.state = state
    }

    /// A thing that happens to an app.
    public enum Kind: Hashable, Sendable, Codable {
        /// The first event of a process, with the cause of the launch: the payload of a push, the local notification
        /// that was tapped, a location event, or a URL, an activity or a quick action.
        case launch(
            remoteNotification: JSONObject?,
            localNotification: NotificationRecord? = nil,
            isForLocation: Bool = false,
            opening: OpenedItem? = nil
        )
        /// The app comes to the foreground for the first time in this process, possibly because of the user's action on
        /// a notification, a URL, an activity or a quick action. Apps without scenes ignore it.
        case sceneWillConnect(ResponseRecord?, opening: OpenedItem? = nil)
        /// Follows ``sceneWillConnect(_:opening:)`` at a launch, where apps without scenes receive nothing.
        case sceneWillEnterForeground
        /// The app comes back to the foreground.
        case willEnterForeground
        /// The app receives touches.
        case didBecomeActive
        /// A URL with one of the app's own schemes, an activity to continue, or a quick action.
        case open(OpenedItem)
        /// An activity from another device whose data did not arrive.
        case activityFailed(type: String, SystemError)
        /// The system's occasion to fetch data in the background. Answered with ``EventReply/fetched(_:)``.
        case performFetch
        /// The background session with this identifier has finished its transfers. Answered with ``EventReply/responded``.
        case backgroundSession(identifier: String)
        /// The device is short of memory.
        case memoryWarning
        /// The app is interrupted, or about to leave.
        case willResignActive
        /// The app is in the background.
        case didEnterBackground
        /// The user ends the running app.
        case willTerminate
        /// Midnight, daylight saving time, another time zone, or a correction by the carrier.
        case significantTimeChange
        /// The device was unlocked, or is about to be locked.
        case protectedData(isAvailable: Bool)
        /// The device token for pushes.
        case didRegisterForRemoteNotifications(DeviceToken)
        /// There is no device token, for this reason.
        case didFailToRegisterForRemoteNotifications(SystemError)
        /// The result for an app of iOS 8 and 9: the granted bits of `UIUserNotificationType`.
        case didRegisterUserNotificationSettings(types: UInt)
        /// A push for the app itself (`content-available`).
        case remoteNotification(JSONObject)
        /// A location event.
        case location(LocationEvent)
        /// An event for ActivityKit.
        case liveActivity(LiveActivityEvent)
        /// A notification arrives in the foreground; `alsoFetched` if the same push came as ``remoteNotification(_:)``
        /// before.
        case willPresent(NotificationRecord, alsoFetched: Bool)
        /// The user acted on a notification.
        case didReceive(ResponseRecord)
        /// The user opens the app's own settings, from a notification or from the system's.
        case openSettings(NotificationRecord?)
        /// The user wrote into a field of an alert; fields count from 0.
        case alertEdited(id: String, field: Int, text: String)
        /// The user tapped a button of an alert, which is no longer on the screen; buttons count from 0.
        case alertAnswered(id: String, button: Int)
        /// An event of PushKit.
        case pushKit(PushKitEvent)
        /// An event of CallKit or LiveCommunicationKit.
        case callKit(CallKitEvent)
        /// For a service extension: a push to modify. Answered with ``EventReply/content(_:)``.
        case serviceExtension(RequestRecord)
        /// For a service extension: its time has nearly expired.
        case serviceExtensionTimeWillExpire
        /// For a content extension: the expanded notification, its buttons, and the initial height of the view as a
        /// multiple of its width.
        case contentExtension(NotificationRecord, actions: [ActionRecord], sizeRatio: Double)
        /// For a content extension: a button. Answered with ``EventReply/extensionOption(_:)``.
        case contentExtensionResponse(ResponseRecord)
        /// For a content extension: the user pressed the system's media button.
        case contentExtensionMedia(plays: Bool)
    }
}
