public import PushDevice
public import PushModel
public import UIKit
public import UserNotificationsUI

/// An app's content extension: the declarations of its Info.plist, and its view controller.
public struct ContentExtension: Sendable {
    /// Creates the view controller of the extension.
    public typealias Make = @MainActor @Sendable () -> any UIViewController & UNNotificationContentExtension

    /// The declarations of the extension's Info.plist.
    public var info: ContentExtensionInfo
    let make: Make

    /// Creates an extension with these declarations.
    public init(info: ContentExtensionInfo, _ make: @escaping Make) {
        self.info = info
        self.make = make
    }

    /// Creates an extension that declares only one category.
    public init(category: String, _ make: @escaping Make) {
        self.init(info: ContentExtensionInfo(categories: [category]), make)
    }

    /// Creates an extension with its Info.plist.
    ///
    /// - Parameters:
    ///   - info: the whole file, of which `NSExtension.NSExtensionAttributes` is used.
    ///   - make: creates the view controller, once for each expanded view.
    /// - Throws: ``PushDevice/ContentExtensionInfo/Problem`` if a required key is missing.
    public init(info: JSONObject, _ make: @escaping Make) throws(ContentExtensionInfo.Problem) {
        self.init(info: try ContentExtensionInfo(info: info), make)
    }
}
