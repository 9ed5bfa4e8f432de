public import PushModel

/// What the system tells an app, with the state in which the app is to run it.
public struct SystemEvent: Hashable, Sendable, Codable {
    public var kind: Kind
    /// What `UIApplication.applicationState` says while the event runs.
    public var state: AppState

    public init(_ kind: Kind, state: AppState) {
        self.kind = kind
        self.state = state
    }

    public enum Kind: Hashable, Sendable, Codable {
        /// The first event of a process, with the payload of the push that caused the launch, or the local notification
        /// that was tapped, or because of a place or of a URL.
        case launch(
            remoteNotification: JSONObject?,
            localNotification: NotificationRecord? = nil,
            isForLocation: Bool = false,
            url: OpenedURL? = nil
        )
        /// The app comes to the front for the first time in this process, maybe because of what the person did to a
        /// notification, or of a URL. Apps without scenes take no notice.
        case sceneWillConnect(ResponseRecord?, url: OpenedURL? = nil)
        /// After ``sceneWillConnect(_:url:)`` at a launch, where apps without scenes hear nothing.
        case sceneWillEnterForeground
        case willEnterForeground
        case didBecomeActive
        /// A URL of a scheme that is the app's own.
        case openURL(OpenedURL)
        case willResignActive
        case didEnterBackground
        case willTerminate
        case didRegisterForRemoteNotifications(DeviceToken)
        case didFailToRegisterForRemoteNotifications(SystemError)
        /// The answer to an app of iOS 8 and 9: the bits of `UIUserNotificationType` that it has.
        case didRegisterUserNotificationSettings(types: UInt)
        /// A push for the app itself (`content-available`).
        case remoteNotification(JSONObject)
        /// Something about the device's place.
        case location(LocationEvent)
        /// The app is in front; `alsoFetched` if the same push came as ``remoteNotification(_:)`` before.
        case willPresent(NotificationRecord, alsoFetched: Bool)
        /// The person acted on a notification.
        case didReceive(ResponseRecord)
        /// The person wants the app's own settings, from a notification or from the system's.
        case openSettings(NotificationRecord?)
        /// For a service extension: a push to work on. Answered with ``EventReply/content(_:)``.
        case serviceExtension(RequestRecord)
        /// For a service extension: its time is nearly over.
        case serviceExtensionTimeWillExpire
        /// For a content extension: the notification that is expanded, its buttons, and the height of the view at
        /// first, in widths.
        case contentExtension(NotificationRecord, actions: [ActionRecord], sizeRatio: Double)
        /// For a content extension: a button. Answered with ``EventReply/extensionOption(_:)``.
        case contentExtensionResponse(ResponseRecord)
        /// For a content extension: the person pressed the system's button for media.
        case contentExtensionMedia(plays: Bool)
    }
}

/// What an app answers to an event, in steps.
public enum EventReply: Hashable, Sendable, Codable {
    /// The app's method of this name was entered.
    case ran(String)
    /// All methods for the event were entered and came back, or wait for something of their own. Once an event.
    case returned
    /// Nobody in the app implements what the event asks for.
    case notImplemented
    /// The raw bits of `UNNotificationPresentationOptions`.
    case presentation(options: UInt)
    case fetched(FetchOutcome)
    /// The handler of `didReceive` was called.
    case responded
    /// What a service extension made of a push.
    case content(ContentRecord)
    /// What a content extension wants after a button: 0 stay, 1 close, 2 close and tell the app.
    case extensionOption(UInt)
    /// What a content extension shows now. Any number an event.
    case contentView(ContentViewRecord)
}
