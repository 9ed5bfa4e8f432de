import Foundation
import PushModel
package import SystemPort
import SystemPortSocket
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
        RaisedException.end(
            "UIApplicationMain: the principal class '\(principalClassName)' is not UIApplication, the only one."
        )
    }
    let found: AnyClass? = delegateClassName.flatMap { NSClassFromString($0) }
    guard let type = found as? any (NSObject & UIApplicationDelegate).Type else {
        RaisedException.end(
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

#if Desktop
import SystemPortDesktop
#endif

extension UIApplicationDelegate where Self: NSObject {
    /// The entry point of an app in a process of its own (`@main`).
    ///
    /// An emulated device that starts the program is the app's device and sends its events. Started by hand there is no
    /// device: the app runs its life cycle in the foreground, without permissions or a token (`NoDevice`); in a package that chooses
    /// the trait `Desktop`, its notifications are the desktop's.
    /// `@UIApplicationMain` crashes the compiler on Linux; write `@main`.
    public static func main() { AppMain.run { _ in ObjectCreation.make(Self.self) } }
}

/// An app in a process of its own.
package enum AppMain {
    /// Runs the app until its device, or the app itself, ends the process.
    ///
    /// - Parameter makeDelegate: called once, before the first event, with the facts known by then.
    package static func run(_ makeDelegate: @escaping @MainActor @Sendable (AppFacts) -> any UIApplicationDelegate) {
        if let port = SocketPort.ofThisProcess {
            port.serve(AppHost(port: port) { makeDelegate(port.facts) })
        } else {
            #if Desktop
            let port = DesktopProgram.prepare()
            let host = AppHost(port: port) { makeDelegate(port.facts) }
            runAlone(host)
            port.serve(host)
            #else
            runAlone(AppHost(port: NoDevice.shared) { makeDelegate(NoDevice.shared.facts) })
            #endif
        }
        RunLoop.main.run()
    }

    private static func runAlone(_ host: AppHost) {
        host.deliver(SystemEvent(.launch(remoteNotification: nil), state: .inactive)) { _ in }
        host.deliver(SystemEvent(.sceneWillConnect(nil), state: .inactive)) { _ in }
        host.deliver(SystemEvent(.sceneWillEnterForeground, state: .inactive)) { _ in }
        host.deliver(SystemEvent(.didBecomeActive, state: .active)) { _ in }
    }
}
