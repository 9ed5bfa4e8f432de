import Foundation
import SystemPort
import UserNotifications

extension UISceneConfiguration {
    /// Creates the scene's delegate, a ``delegateClass``.
    ///
    /// - Returns: nil without a class. A class that cannot be a scene's delegate raises an exception.
    package func makeDelegate() -> (any UISceneDelegate)? {
        guard let delegateClass else { return nil }
        if let type = delegateClass as? any (NSObject & UISceneDelegate).Type { return make(type) }
        RaisedException.raise(
            """
            \(String(reflecting: delegateClass)) cannot be the scene's delegate: expected a class that derives from NSObject \
            and conforms to UISceneDelegate.
            """,
            name: "NSInvalidArgumentException"
        )
        return nil
    }

    private func make<Delegate: NSObject & UISceneDelegate>(_ type: Delegate.Type) -> Delegate {
        ObjectCreation.make(type)
    }
}
