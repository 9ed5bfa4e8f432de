// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import UIKit

// Swift 5 mode, with storyboards: it compiles, and says at run time what is missing.
public class StoryboardApp: UIResponder, UIApplicationDelegate {
    public var window: UIWindow?
    public var log: [String] = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        let home = HomeViewController()
        home.onEvent = { [weak self] in self?.log.append($0) }
        window!.rootViewController = home
        window!.makeKeyAndVisible()
        return true
    }

    public func openInbox() {
        let storyboard = UIStoryboard(name: "Main", bundle: nil)
        let inbox = storyboard.instantiateViewController(withIdentifier: "InboxViewController")
        window?.rootViewController?.present(inbox, animated: true, completion: nil)
    }

    public func openLogin() {
        let login = LoginViewController(nibName: "LoginViewController", bundle: Bundle.main)
        window?.rootViewController?.present(login, animated: false) {
            self.log.append("login presented")
        }
    }

    public func openMessages() {
        let home = window?.rootViewController as? HomeViewController
        home?.showMessages()
    }

    public func closeMessages() {
        let home = window?.rootViewController as? HomeViewController
        home?.hideMessages()
    }
}

class LoginViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        navigationItem.title = NSLocalizedString("Login", comment: "")
    }

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
        super.prepare(for: segue, sender: sender)
        if segue.identifier == "ShowReset" { segue.destination.title = "Reset" }
    }
}

// A container that drives its child itself.
class HomeViewController: UIViewController {
    var onEvent: ((String) -> Void)?
    private var messages: MessagesViewController?

    func showMessages() {
        let child = MessagesViewController(style: .plain)
        child.onEvent = onEvent
        addChild(child)
        child.view.frame = view.bounds
        view.addSubview(child.view)
        child.didMove(toParent: self)
        messages = child
    }

    func hideMessages() {
        messages?.willMove(toParent: nil)
        messages?.view.removeFromSuperview()
        messages?.removeFromParent()
        messages = nil
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        onEvent?("home appeared")
    }
}

class MessagesViewController: UITableViewController {
    var onEvent: ((String) -> Void)?
    var messages = ["Hello", "Bye"]

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        onEvent?("messages will appear with \(tableView.numberOfRows(inSection: 0))")
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        onEvent?("messages disappeared")
    }

    override func numberOfSections(in tableView: UITableView) -> Int {
        1
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        messages.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell =
            tableView.dequeueReusableCell(withIdentifier: "Cell")
            ?? UITableViewCell(style: .subtitle, reuseIdentifier: "Cell")
        cell.textLabel?.text = messages[indexPath.row]
        cell.accessoryType = .disclosureIndicator
        return cell
    }
}
