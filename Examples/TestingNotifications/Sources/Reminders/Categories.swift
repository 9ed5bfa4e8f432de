import UserNotifications

/// The buttons of the app's notifications.
public enum Categories {
    public static let reminder = "reminder"
    public static let note = "note"
    public static let snooze = "snooze"
    public static let answer = "answer"

    static func register() {
        let snooze = UNNotificationAction(identifier: snooze, title: "In ten minutes")
        let answer = UNTextInputNotificationAction(
            identifier: answer,
            title: "Answer",
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Your answer"
        )
        UNUserNotificationCenter.current().setNotificationCategories([
            UNNotificationCategory(identifier: reminder, actions: [snooze], intentIdentifiers: []),
            UNNotificationCategory(identifier: note, actions: [answer], intentIdentifiers: []),
        ])
    }
}
