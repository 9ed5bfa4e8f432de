import Foundation
import PushModel
import SystemPort

extension UIApplicationDelegate where Self: UIResponder {
    /// Where a process of an app's own begins (`@main`).
    ///
    /// No emulated device is in such a process: the app runs its life cycle in front, no permission is given and no
    /// token comes (`NoDevice`). `@UIApplicationMain` crashes the compiler on Linux; write `@main`.
    public static func main() {
        let host = AppHost(port: NoDevice.shared) { Self() }
        host.deliver(SystemEvent(.launch(remoteNotification: nil), state: .inactive)) { _ in }
        host.deliver(SystemEvent(.sceneWillConnect(nil), state: .inactive)) { _ in }
        host.deliver(SystemEvent(.sceneWillEnterForeground, state: .inactive)) { _ in }
        host.deliver(SystemEvent(.didBecomeActive, state: .active)) { _ in }
        RunLoop.main.run()
    }
}
