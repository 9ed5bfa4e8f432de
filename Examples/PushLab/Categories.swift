import UIKit
import UserNotifications

/// The buttons of the app's notifications: two to choose from for an offer, a text to write for a message.
///
/// A push names its category as `aps.category`. Both generations have the same identifiers, so one push fits them all.
enum Categories {
    static let offer = "offer"
    static let message = "message"

    /// The identifiers of the buttons.
    enum Action {
        /// Opens the page of the notification's link.
        static let see = "see"
        /// Requires the phone to be unlocked, and leaves the app in the background.
        static let ignore = "ignore"
        /// Asks for text.
        static let reply = "reply"
    }

    /// The categories for iOS 10 and later. The app is notified when an offer is cleared.
    static var current: Set<UNNotificationCategory> {
        let see = UNNotificationAction(identifier: Action.see, title: text("Have a look"), options: .foreground)
        let ignore = UNNotificationAction(
            identifier: Action.ignore,
            title: text("Ignore"),
            options: [.authenticationRequired, .destructive]
        )
        let reply = UNTextInputNotificationAction(
            identifier: Action.reply,
            title: text("Reply"),
            options: [],
            textInputButtonTitle: text("Send"),
            textInputPlaceholder: text("Your answer")
        )
        return [
            UNNotificationCategory(
                identifier: offer,
                actions: [see, ignore],
                intentIdentifiers: [],
                options: .customDismissAction
            ),
            UNNotificationCategory(identifier: message, actions: [reply], intentIdentifiers: []),
        ]
    }

    /// Returns a text of `Localizable.strings`, in the user's language.
    private static func text(_ key: String) -> String {
        NSString.localizedUserNotificationString(forKey: key, arguments: nil)
    }

    /// Returns the categories for iOS 8 and 9.
    ///
    /// - Parameter asksForText: false on iOS 8, where a reply opens the app instead of asking for a text.
    /// - Returns: the categories to register.
    @MainActor
    static func legacy(asksForText: Bool) -> Set<UIUserNotificationCategory> {
        let see = UIMutableUserNotificationAction()
        see.identifier = Action.see
        see.title = NSLocalizedString("Have a look", comment: "")
        see.activationMode = .foreground

        let ignore = UIMutableUserNotificationAction()
        ignore.identifier = Action.ignore
        ignore.title = NSLocalizedString("Ignore", comment: "")
        ignore.activationMode = .background
        ignore.isAuthenticationRequired = true
        ignore.isDestructive = true

        let reply = UIMutableUserNotificationAction()
        reply.identifier = Action.reply
        reply.title = NSLocalizedString("Reply", comment: "")
        reply.activationMode = asksForText ? .background : .foreground
        if asksForText {
            reply.behavior = .textInput
            reply.parameters = [UIUserNotificationTextInputActionButtonTitleKey: NSLocalizedString("Send", comment: "")]
        }
        return [category(offer, [see, ignore]), category(message, [reply])]
    }

    @MainActor
    private static func category(
        _ identifier: String,
        _ actions: [UIUserNotificationAction]
    ) -> UIUserNotificationCategory {
        let category = UIMutableUserNotificationCategory()
        category.identifier = identifier
        category.setActions(actions, for: .default)
        category.setActions(actions, for: .minimal)
        return category
    }
}
