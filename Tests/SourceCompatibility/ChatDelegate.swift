import UIKit
@preconcurrency import UserNotifications

/// The app's memory: an actor, as an app has it beside its delegate.
actor ChatStore {
    private(set) var sent: [String] = []

    func send(_ text: String, to person: String) { sent.append("\(person): \(text)") }
}

// Categories with a reply, a delegate that is neither the app delegate nor on the main actor, an actor as its neighbour.
final class ChatDelegate: NSObject, UNUserNotificationCenterDelegate {
    let store = ChatStore()

    func registerCategories() {
        let reply = UNTextInputNotificationAction(
            identifier: "REPLY",
            title: "Reply",
            options: [],
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Message"
        )
        let mute = UNNotificationAction(identifier: "MUTE", title: "Mute", options: [.destructive])
        let category = UNNotificationCategory(
            identifier: "CHAT",
            actions: [reply, mute],
            intentIdentifiers: [],
            options: [.customDismissAction]
        )
        UNUserNotificationCenter.current().setNotificationCategories([category])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        if #available(iOS 14.0, *) {
            completionHandler([.list, .banner, .sound])
        } else {
            completionHandler([.alert, .sound])
        }
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
        let person = response.notification.request.content.userInfo["from"] as? String ?? "?"
        if let reply = response as? UNTextInputNotificationResponse {
            await store.send(reply.userText, to: person)
        } else if response.actionIdentifier == UNNotificationDismissActionIdentifier {
            await store.send("(dismissed)", to: person)
        }
    }
}

final class ChatApp: UIResponder, UIApplicationDelegate {
    let chat = ChatDelegate()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = chat
        chat.registerCategories()
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
            guard granted else { return }
            DispatchQueue.main.async {
                UIApplication.shared.registerForRemoteNotifications()
            }
        }
        return true
    }
}
