import UIKit
import UserNotifications

// Swift 6 mode, in code without storyboards: tabs with navigation, a list, an alert with a text field, and a question before a
// parcel is deleted.
class ParcelAppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {

    var window: UIWindow?
    let list = ParcelListViewController()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        let tabs = UITabBarController()
        let settings = ParcelSettingsViewController()
        settings.tabBarItem = UITabBarItem(title: "Settings", image: UIImage(systemName: "gear"), tag: 1)
        list.tabBarItem = UITabBarItem(title: "Parcels", image: UIImage(systemName: "shippingbox"), tag: 0)
        tabs.viewControllers = [UINavigationController(rootViewController: list), settings]
        tabs.tabBar.tintColor = .systemOrange

        window = UIWindow(frame: UIScreen.main.bounds)
        window?.backgroundColor = .systemBackground
        window?.rootViewController = tabs
        window?.makeKeyAndVisible()
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        list.showAlert(title: notification.request.content.title, message: notification.request.content.body)
        return []
    }
}

class ParcelListViewController: UIViewController {

    private(set) var parcels = ["Books", "Lamp"]
    private let emptyLabel: UILabel = {
        let label = UILabel()
        label.translatesAutoresizingMaskIntoConstraints = false
        label.text = "No parcels"
        label.font = .preferredFont(forTextStyle: .headline)
        label.textColor = .secondaryLabel
        label.textAlignment = .center
        label.numberOfLines = 0
        return label
    }()

    init() {
        super.init(nibName: nil, bundle: nil)
        title = "Parcels"
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            systemItem: .add,
            primaryAction: UIAction { [weak self] _ in self?.addParcel() }
        )
        view.addSubview(emptyLabel)
        NSLayoutConstraint.activate([
            emptyLabel.centerXAnchor.constraint(equalTo: view.centerXAnchor),
            emptyLabel.centerYAnchor.constraint(equalTo: view.centerYAnchor),
            emptyLabel.leadingAnchor.constraint(greaterThanOrEqualTo: view.leadingAnchor, constant: 16),
            emptyLabel.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 8),
        ])
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        emptyLabel.isHidden = !parcels.isEmpty
    }

    func addParcel() {
        let alert = UIAlertController(title: "New parcel", message: nil, preferredStyle: .alert)
        let add = UIAlertAction(title: "Add", style: .default) { [weak self, weak alert] _ in
            guard let name = alert?.textFields?.first?.text else { return }
            self?.parcels.append(name)
        }
        add.isEnabled = false
        alert.addTextField { field in
            field.placeholder = "Name"
            field.autocapitalizationType = .words
            field.addAction(
                UIAction { action in
                    add.isEnabled = (action.sender as? UITextField)?.text?.isEmpty == false
                },
                for: .editingChanged
            )
        }
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        alert.addAction(add)
        alert.preferredAction = add
        present(alert, animated: true)
    }

    func delete(_ parcel: String) {
        let sheet = UIAlertController(title: "Delete \(parcel)?", message: nil, preferredStyle: .actionSheet)
        sheet.addAction(
            UIAlertAction(title: "Delete", style: .destructive) { _ in
                self.parcels.removeAll { $0 == parcel }
                self.showAlert(title: "Deleted", message: parcel)
            }
        )
        sheet.addAction(UIAlertAction(title: "Cancel", style: .cancel, handler: nil))
        present(sheet, animated: true, completion: nil)
    }

    func open(_ parcel: String) {
        navigationController?.pushViewController(ParcelViewController(parcel: parcel), animated: true)
    }
}

class ParcelViewController: UIViewController {

    let parcel: String
    private let stack = UIStackView()
    private let image = UIImageView(image: UIImage(systemName: "shippingbox.fill"))
    let shareButton = UIButton(type: .system)

    init(parcel: String) {
        self.parcel = parcel
        super.init(nibName: nil, bundle: nil)
        self.title = parcel
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        stack.axis = .vertical
        stack.spacing = 12
        stack.addArrangedSubview(image)
        stack.addArrangedSubview(shareButton)
        image.contentMode = .scaleAspectFit
        image.tintColor = .systemBrown
        shareButton.setTitle("Share", for: .normal)
        shareButton.addAction(UIAction { [weak self] _ in self?.share() }, for: .touchUpInside)
        let tap = UITapGestureRecognizer()
        tap.numberOfTapsRequired = 2
        image.addGestureRecognizer(tap)
        image.isUserInteractionEnabled = true
        view.addSubview(stack)
    }

    private func share() { showAlert(title: "Shared", message: parcel) }
}

class ParcelSettingsViewController: UITableViewController {

    private let rows = ["Notifications", "Sounds"]
    private(set) var chosen: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(SwitchCell.self, forCellReuseIdentifier: SwitchCell.reuseIdentifier)
        tableView.rowHeight = 56
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: SwitchCell.reuseIdentifier, for: indexPath)
        cell.textLabel?.text = rows[indexPath.row]
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        chosen.append(rows[indexPath.row])
    }
}

class SwitchCell: UITableViewCell {

    static let reuseIdentifier = "SwitchCell"
    let toggle = UISwitch()

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        accessoryView = toggle
        selectionStyle = .none
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        toggle.setOn(false, animated: false)
    }
}

extension UIViewController {
    func showAlert(title: String, message: String) {
        let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        present(alert, animated: true)
    }
}
