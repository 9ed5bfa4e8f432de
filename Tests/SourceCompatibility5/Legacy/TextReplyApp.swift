import UIKit

// Swift 5 mode: an answer in text, as iOS 9 brought it.
public class TextReplyApp: UIResponder, UIApplicationDelegate {
    public private(set) var replies: [String] = []
    public private(set) var plain: [String] = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let reply = UIMutableUserNotificationAction()
        reply.identifier = "REPLY"
        reply.title = "Reply"
        reply.activationMode = .background
        reply.isAuthenticationRequired = false
        reply.behavior = .textInput
        reply.parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send it"]

        let like = UIMutableUserNotificationAction()
        like.identifier = "LIKE"
        like.title = "Like"
        like.activationMode = .background

        let category = UIMutableUserNotificationCategory()
        category.identifier = "MESSAGE"
        category.setActions([reply, like], for: .default)
        application.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .sound], categories: [category])
        )
        return true
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        if let text = responseInfo[UIUserNotificationActionResponseTypedTextKey] as? String {
            replies.append(text)
        } else {
            plain.append(identifier ?? "")
        }
        completionHandler()
    }
}
