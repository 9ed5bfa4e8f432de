import Foundation
import SystemPort

/// The view controllers of an app, which are told of memory warnings.
///
/// Source: Apple, `didReceiveMemoryWarning()`: the system calls it on each controller; the notification of the app follows its
/// delegate's method.
@MainActor
final class MemoryWarnings: PortSlot {
    private struct Weak {
        weak var controller: UIViewController?
    }

    private var controllers: [Weak] = []
    private var observer: (any NSObjectProtocol)?

    nonisolated init() {}

    isolated deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    func add(_ controller: UIViewController) {
        controllers.removeAll { $0.controller == nil }
        controllers.append(Weak(controller: controller))
        guard observer == nil else { return }
        let name = NSNotification.Name("UIApplicationDidReceiveMemoryWarningNotification")
        observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            // The app's host posts it on the main thread.
            MainActor.assumeIsolated { self?.deliver() }
        }
    }

    private func deliver() {
        for each in controllers { each.controller?.didReceiveMemoryWarning() }
    }
}
