public import Foundation

/// A source of additional content. Only Apple's own types are accepted, and those need Intents, which Linux lacks.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

extension UNNotificationContent {
    /// - Throws: `UNError.contentProvidingObjectNotAllowed`: no type of the app's own is accepted.
    public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        throw UNError.make(
            .contentProvidingObjectNotAllowed,
            "The object of class \(type(of: provider)) may not provide content."
        )
    }
}
