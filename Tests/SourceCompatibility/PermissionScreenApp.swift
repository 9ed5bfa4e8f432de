import UIKit
import UserNotifications

// Swift 6 mode, with a scene: a screen explains the permission, asks for it when it has appeared, and offers the settings in an alert.
class PermissionAppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: "Default", sessionRole: connectingSceneSession.role)
        configuration.delegateClass = PermissionSceneDelegate.self
        return configuration
    }
}

class PermissionSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    let screen = PermissionViewController(nibName: nil, bundle: nil)

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(rootViewController: screen)
        window.makeKeyAndVisible()
        self.window = window
    }
}

final class PermissionViewController: UIViewController {
    enum Step: Equatable {
        case loaded, appeared, asked(Bool), explained, settings, covered
    }

    private(set) var steps: [Step] = []
    private lazy var titleLabel = UILabel()
    private lazy var allowButton = UIButton(
        configuration: .filled(),
        primaryAction: UIAction(title: "Allow notifications") { [weak self] _ in self?.ask() }
    )

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Notifications"
        steps.append(.loaded)
        titleLabel.text = "Know when your order arrives"
        titleLabel.font = UIFont.systemFont(ofSize: 28, weight: .bold)
        titleLabel.translatesAutoresizingMaskIntoConstraints = false
        allowButton.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(titleLabel)
        view.addSubview(allowButton)
        NSLayoutConstraint.activate([
            titleLabel.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 32),
            titleLabel.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 20),
            allowButton.topAnchor.constraint(equalTo: titleLabel.bottomAnchor, constant: 20),
            allowButton.heightAnchor.constraint(equalToConstant: 50),
        ])
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        steps.append(.appeared)
        ask()
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        steps.append(.covered)
    }

    private func ask() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { granted, _ in
            DispatchQueue.main.async { self.asked(granted) }
        }
    }

    private func asked(_ granted: Bool) {
        steps.append(.asked(granted))
        guard !granted else { return dismiss(animated: true) }
        let alert = UIAlertController(
            title: "Notifications are off",
            message: "You can turn them on in Settings.",
            preferredStyle: .alert
        )
        alert.addAction(UIAlertAction(title: "Not now", style: .cancel))
        alert.addAction(
            UIAlertAction(title: "Settings", style: .default) { [weak self] _ in
                self?.steps.append(.settings)
                guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
                UIApplication.shared.open(url)
            }
        )
        present(alert, animated: true) { [weak self] in self?.steps.append(.explained) }
    }
}
