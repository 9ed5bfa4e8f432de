import Foundation
import PushModel
package import SystemPort
import SystemPortSocket
import UserNotifications

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
