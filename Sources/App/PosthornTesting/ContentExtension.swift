public import PushDevice
public import PushModel
public import UIKit
public import UserNotificationsUI

/// An app's content extension: what its Info.plist declares, and its view controller.
public struct ContentExtension: Sendable {
    public typealias Make = @MainActor @Sendable () -> any UIViewController & UNNotificationContentExtension

    public var info: ContentExtensionInfo
    let make: Make

    /// An extension for one category that declares nothing else.
    public init(category: String, _ make: @escaping Make) {
        info = ContentExtensionInfo(categories: [category])
        self.make = make
    }

    /// An extension with its Info.plist.
    ///
    /// - Parameters:
    ///   - info: the whole file; `NSExtension.NSExtensionAttributes` counts.
    ///   - make: makes the view controller, once for each expanded view.
    /// - Throws: ``PushDevice/ContentExtensionInfo/Problem`` where a required key is missing.
    public init(info: JSONObject, _ make: @escaping Make) throws(ContentExtensionInfo.Problem) {
        self.info = try ContentExtensionInfo(info: info)
        self.make = make
    }
}
