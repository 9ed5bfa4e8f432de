public import Foundation
package import SystemPort

/// An app extension's interface to the system that runs it. UserNotificationsUI adds the methods for content
/// extensions.
///
/// Apple has it in Foundation; Linux's Foundation lacks it.
open class NSExtensionContext: NSObject {
    package let port: any SystemPort

    package init(port: any SystemPort) { self.port = port }

    /// The host's items for the extension; empty for notification extensions.
    open var inputItems: [Any] { [] }
}
