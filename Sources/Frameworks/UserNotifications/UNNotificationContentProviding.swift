public import Foundation

/// What content can be enriched with. Only Apple's own types count, and those need Intents, which Linux has not.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

extension UNNotificationContent {
    /// - Throws: `UNError.contentProvidingObjectNotAllowed`: no type of an app's own is taken.
    public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        throw UNError.make(
            .contentProvidingObjectNotAllowed,
            "The object of class \(type(of: provider)) may not provide content."
        )
    }
}
