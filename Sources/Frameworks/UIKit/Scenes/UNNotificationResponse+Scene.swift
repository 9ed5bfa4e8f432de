import SystemPort
public import UserNotifications

extension UNNotificationResponse {
    /// The scene that shows the result of the response: the app's one scene; nil in the background before there is one,
    /// and for an app without scenes.
    @preconcurrency @MainActor
    public var targetScene: UIScene? { AppSlot.of(CurrentPort.find()).scene }
}
