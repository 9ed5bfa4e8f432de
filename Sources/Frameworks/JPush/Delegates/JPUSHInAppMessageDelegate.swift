public import Foundation

/// Receives events about in-app messages. Every method is optional, with `!` or without.
@preconcurrency public protocol JPUSHInAppMessageDelegate: NSObjectProtocol {
    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage)
    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage!)
    func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage)
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
    func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]!)
    func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any])
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
