import Foundation
import PushModel
package import SystemPort
import SystemPortSocket

extension UIApplicationDelegate where Self: UIResponder {
    /// Where a process of an app's own begins (`@main`).
    ///
    /// An emulated device that starts the program is the app's device: events come from there. Started by hand there is no
    /// device: the app runs its life cycle in front, no permission is given and no token comes (`NoDevice`).
    /// `@UIApplicationMain` crashes the compiler on Linux; write `@main`.
    public static func main() { AppMain.run { _ in Self() } }
}

/// An app that is a process of its own.
package enum AppMain {
    /// Runs the app until its device, or it itself, ends the process.
    ///
    /// - Parameter makeDelegate: called once, before the first event, with what the app can know by then.
    package static func run(_ makeDelegate: @escaping @MainActor @Sendable (AppFacts) -> any UIApplicationDelegate) {
        if let port = SocketPort.ofThisProcess {
            port.serve(AppHost(port: port) { makeDelegate(port.facts) })
        } else {
            runAlone(AppHost(port: NoDevice.shared) { makeDelegate(NoDevice.shared.facts) })
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
