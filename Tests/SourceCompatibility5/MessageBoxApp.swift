// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import UIKit

// Swift 5 mode, in the style of iOS 7 to 9: a push in the foreground is shown in an alert view, whose delegate opens it.
public class MessageBoxApp: UIResponder, UIApplicationDelegate, UIAlertViewDelegate, UIActionSheetDelegate {
    public var window: UIWindow?
    public var opened: [String] = []
    public var answers: [String] = []
    private var pendingMessage: String?

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let settings = UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil)
        application.registerUserNotificationSettings(settings)
        application.registerForRemoteNotifications()
        self.window = UIWindow(frame: UIScreen.main.bounds)
        self.window?.rootViewController = BoxViewController()
        self.window?.makeKeyAndVisible()
        return true
    }

    public func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        guard application.applicationState == .active else { return }
        let aps = userInfo["aps"] as? [String: Any]
        pendingMessage = userInfo["message"] as? String
        let alert = UIAlertView(
            title: "Message",
            message: aps?["alert"] as? String,
            delegate: self,
            cancelButtonTitle: "Later"
        )
        alert.addButton(withTitle: "Open")
        alert.show()
    }

    public func alertView(_ alertView: UIAlertView, clickedButtonAt buttonIndex: Int) {
        if buttonIndex != alertView.cancelButtonIndex, let message = pendingMessage { opened.append(message) }
        if alertView.alertViewStyle == .plainTextInput { answers.append(alertView.textField(at: 0)?.text ?? "") }
        pendingMessage = nil
    }

    public func alertView(_ alertView: UIAlertView, didDismissWithButtonIndex buttonIndex: Int) {
        answers.append("dismissed \(alertView.buttonTitle(at: buttonIndex) ?? "")")
    }

    public func askName() {
        let alert = UIAlertView(
            title: "Name",
            message: "",
            delegate: self,
            cancelButtonTitle: "Cancel",
            otherButtonTitles: "OK"
        )
        alert.alertViewStyle = .plainTextInput
        alert.textField(at: 0)?.placeholder = "First name"
        alert.show()
    }

    public func askToDelete(in view: UIView) {
        let sheet = UIActionSheet(
            title: nil,
            delegate: self,
            cancelButtonTitle: "Cancel",
            destructiveButtonTitle: "Delete",
            otherButtonTitles: "Archive",
            "Forward"
        )
        sheet.show(in: view)
    }

    public func actionSheet(_ actionSheet: UIActionSheet, clickedButtonAt buttonIndex: Int) {
        answers.append("\(buttonIndex) \(actionSheet.buttonTitle(at: buttonIndex) ?? "")")
    }
}

class BoxViewController: UIViewController {
    private var label: UILabel!

    convenience init() {
        self.init(nibName: nil, bundle: nil)
    }

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        label = UILabel(frame: CGRect(x: 0, y: 100, width: view.bounds.width, height: 40))
        label.textAlignment = .center
        label.text = "Messages"
        view.addSubview(label)
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
    }
}
