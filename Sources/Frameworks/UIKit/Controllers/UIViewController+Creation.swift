import CObjectCreation
package import Foundation
import UserNotifications

extension UIViewController: OwnCreation {
    /// Creates a controller whose class is known at run time only, with its `init(nibName:bundle:)`.
    ///
    /// A class without that initialiser, because only another one sets all its stored properties, ends the process with Swift's
    /// message.
    static func make<Controller: UIViewController>(_ type: Controller.Type) -> Controller {
        let pointer = unsafe unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        let object = unsafe Unmanaged<UIViewController>.fromOpaque(create_view_controller(pointer)).takeRetainedValue()
        return unsafe unsafeDowncast(object, to: type)
    }

    package static nonisolated func makeObject() -> NSObject { MainActor.assumeIsolated { make(self) } }
}
