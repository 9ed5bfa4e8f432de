import Foundation
import SystemPort
import UserNotifications

/// The entry point of an app whose `main.swift` calls it, as apps without `@main` do.
///
/// The process ends when the device, or the app itself, ends it. A name that is no suitable class ends it at once with a message.
///
/// - Parameters:
///   - argc: the number of arguments; not used.
///   - argv: the arguments; not used.
///   - principalClassName: the class of the application: nil, or `UIApplication`, the only one available.
///   - delegateClassName: the name of the class of the app's delegate, as `NSStringFromClass(AppDelegate.self)` returns it.
/// - Returns: nothing: it does not return.
@discardableResult
public func UIApplicationMain(
    _ argc: Int32,
    _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ principalClassName: String?,
    _ delegateClassName: String?
) -> Int32 {
    if let principalClassName, principalClassName != NSStringFromClass(UIApplication.self) {
        fatalError("UIApplicationMain: the principal class '\(principalClassName)' is not UIApplication, the only one.")
    }
    let found: AnyClass? = delegateClassName.flatMap { NSClassFromString($0) }
    guard let type = found as? any (NSObject & UIApplicationDelegate).Type else {
        fatalError(
            "UIApplicationMain: '\(delegateClassName ?? "nil")' is no class that derives from NSObject and conforms to "
                + "UIApplicationDelegate; pass NSStringFromClass(AppDelegate.self)."
        )
    }
    AppMain.run(type)
    return 0
}

extension AppMain {
    fileprivate static func run<Delegate: NSObject & UIApplicationDelegate>(_ type: Delegate.Type) {
        run { _ in ObjectCreation.make(type) }
    }
}
