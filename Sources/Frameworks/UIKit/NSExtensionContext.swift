public import Foundation
package import SystemPort

/// An app extension's way to the system that runs it. UserNotificationsUI adds what a content extension needs.
///
/// Apple has it in Foundation; Linux's Foundation has not.
open class NSExtensionContext: NSObject {
    package let port: any SystemPort

    package init(port: any SystemPort) { self.port = port }

    /// What the host gave the extension; nothing for extensions of notifications.
    open var inputItems: [Any] { [] }
}
