// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import UIKit

// Swift 5 mode, with scenes whose delegate derives from NSObject: tabs, a list, a page with controls, questions, and a modal form.
public class CatalogueApp: UIResponder, UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: "Default", sessionRole: connectingSceneSession.role)
        configuration.delegateClass = CatalogueSceneDelegate.self
        return configuration
    }

    public func application(
        _ application: UIApplication,
        supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask {
        UIDevice.current.userInterfaceIdiom == .pad ? .all : .portrait
    }
}

public class CatalogueSceneDelegate: NSObject, UIWindowSceneDelegate {
    public var window: UIWindow?
    public private(set) var log: [String] = []

    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let tabs = UITabBarController()
        let catalogue = UINavigationController(rootViewController: CatalogueViewController())
        catalogue.tabBarItem = UITabBarItem(title: "Catalogue", image: nil, tag: 0)
        let about = UIViewController()
        about.title = "About"
        tabs.viewControllers = [catalogue, about]
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = tabs
        window.tintColor = UIColor(named: "Brand") ?? .systemTeal
        self.window = window
        window.makeKeyAndVisible()
        log.append("connected")
    }

    public func sceneDidBecomeActive(_ scene: UIScene) { log.append("active") }
    public func sceneDidEnterBackground(_ scene: UIScene) { log.append("background") }
}

public class CatalogueViewController: UITableViewController {
    public private(set) var items = ["Tea", "Coffee"]
    public private(set) var log: [String] = []

    public override func viewDidLoad() {
        super.viewDidLoad()
        title = "Catalogue"
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "item")
        log.append("loaded")
    }

    public override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        log.append("will appear")
    }

    public override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        log.append("memory")
    }

    public override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        items.count
    }

    public override func tableView(
        _ tableView: UITableView,
        cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "item", for: indexPath)
        cell.textLabel?.text = items[indexPath.row]
        return cell
    }

    public override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        let page = ItemViewController()
        page.item = items[indexPath.row]
        navigationController?.pushViewController(page, animated: true)
    }

    public func askToRemove(_ item: String) {
        let alert = UIAlertController(title: "Remove \(item)?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel, handler: nil))
        alert.addAction(
            UIAlertAction(title: "Remove", style: .destructive) { [weak self] _ in
                self?.items.removeAll { $0 == item }
                self?.tableView.reloadData()
            }
        )
        present(alert, animated: true, completion: nil)
    }
}

public class ItemViewController: UIViewController {
    public var item = ""
    public let nameLabel = UILabel()
    public let picture = UIImageView()
    public let noteField = UITextField()
    public let button = UIButton(type: .system)
    public private(set) var form: FormViewController!

    public override func viewDidLoad() {
        super.viewDidLoad()
        nameLabel.text = item
        nameLabel.font = UIFont.boldSystemFont(ofSize: 17)
        picture.image = UIImage(named: "picture")
        picture.isUserInteractionEnabled = true
        picture.addGestureRecognizer(UITapGestureRecognizer())
        noteField.placeholder = "Note"
        button.setTitle("Order", for: .normal)
        button.addAction(UIAction { [unowned self] _ in self.order() }, for: .touchUpInside)
        [nameLabel, picture, noteField, button].forEach(view.addSubview)
    }

    private func order() {
        form = FormViewController()
        form.modalPresentationStyle = .fullScreen
        form.onDone = { [weak self] in
            self?.dismiss(animated: true) { self?.nameLabel.text = "Ordered" }
        }
        present(form, animated: true)
    }
}

public class FormViewController: UIViewController {
    public var onDone: (() -> Void)?
    public private(set) var log: [String] = []

    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        log.append("appeared")
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        log.append("disappeared \(isBeingDismissed)")
    }
}
