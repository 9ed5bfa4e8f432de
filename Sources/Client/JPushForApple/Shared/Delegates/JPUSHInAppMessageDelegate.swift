#if os(Linux) && canImport(UIKit) && !canImport(ObjectiveC)

public import Foundation

/// Receives events about in-app messages. Every method is optional, with `!` or without.
@preconcurrency public protocol JPUSHInAppMessageDelegate: NSObjectProtocol {
    /// The view of an in-app message is on the screen.
    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage)
    /// The view of an in-app message is on the screen; the spelling with an implicitly unwrapped type.
    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage!)
    /// The user tapped an in-app message.
    func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage)
    /// The user tapped an in-app message; the spelling with an implicitly unwrapped type.
    func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage!)
}

extension JPUSHInAppMessageDelegate {
    public func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage) {
        let next: (JPushInAppMessage?) -> Void = jPush(inAppMessageDidShow:)
        next(inAppMessage)
    }

    public func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage!) {}

    public func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage) {
        let next: (JPushInAppMessage?) -> Void = jPush(inAppMessageDidClick:)
        next(inAppMessage)
    }

    public func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage!) {}
}

/// Receives events about banners that the SDK shows instead of the system's. Every method is optional, with `!` or
/// without.
@preconcurrency public protocol JPUSHNotiInMessageDelegate: NSObjectProtocol {
    func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any])
    /// An in-app message is on the screen; the spelling with an implicitly unwrapped type.
    func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]!)
    /// The user tapped an in-app message, which has the payload that the notification would have had.
    func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any])
    /// The user tapped an in-app message; the spelling with an implicitly unwrapped type.
    func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]!)
}

extension JPUSHNotiInMessageDelegate {
    public func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]) {
        let next: ([AnyHashable: Any]?) -> Void = jPushNotiInMessageDidShow(withContent:)
        next(content)
    }

    public func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]!) {}

    public func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]) {
        let next: ([AnyHashable: Any]?) -> Void = jPushNotiInMessageDidClick(withContent:)
        next(content)
    }

    public func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]!) {}
}

#endif
