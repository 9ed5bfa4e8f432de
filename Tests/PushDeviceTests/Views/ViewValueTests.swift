import Foundation
import PosthornTesting
import PushDevice
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("Views, controls and their values")
@MainActor
struct ViewValueTests {
    @Test("A hierarchy keeps its order, tells of each move, and refuses to contain itself")
    func hierarchy() {
        final class Told: UIView {
            var moves: [String] = []
            override func didMoveToSuperview() { moves.append(superview == nil ? "out" : "in") }
            override func didMoveToWindow() { moves.append(window == nil ? "no window" : "window") }
        }
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
        let first = Told()
        let second = UIView()
        let third = UIView()
        first.tag = 7
        view.addSubview(first)
        view.addSubview(second)
        view.insertSubview(third, belowSubview: second)
        #expect(view.subviews == [first, third, second] && view.viewWithTag(7) === first)
        view.bringSubviewToFront(first)
        view.sendSubviewToBack(second)
        #expect(view.subviews == [second, third, first])
        let window = UIWindow(frame: .zero)
        window.addSubview(view)
        #expect(first.isDescendant(of: window) && first.window === window)
        first.removeFromSuperview()
        #expect(first.moves == ["in", "window", "out", "no window"] && view.subviews == [second, third])
        #expect(view.center == CGPoint(x: 25, y: 40) && view.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
        let raised = RaisedException.catching { second.addSubview(view) }
        #expect(raised.map(\.name) == ["NSInvalidArgumentException"] && second.subviews.isEmpty)
    }

    @Test("init() of a subclass calls the init(frame:) that it overrides")
    func initialisers() {
        final class Framed: UIView {
            let made: String
            override init(frame: CGRect) {
                made = "frame"
                super.init(frame: frame)
            }
            required init?(coder: NSCoder) { nil }
        }
        final class Own: UILabel {
            init() {
                super.init(frame: CGRect(x: 0, y: 0, width: 1, height: 1))
                text = "own"
            }
            required init?(coder: NSCoder) { nil }
        }
        #expect(Framed().made == "frame")
        #expect(Own().text == "own" && Own().frame.width == 1)
        #expect(UITableView().style == .plain && UITextView().text.isEmpty && UIWindow().isHidden)
    }

    @Test("Layers, styles, looks, touches, keyboards, sharing and vibration are kept, and nothing comes of them")
    func propertyHolders() {
        let view = UIView()
        view.layer.cornerRadius = 8
        view.layer.borderColor = UIColor(hue: 0.5, saturation: 1, brightness: 1, alpha: 1).cgColor
        #expect(view.layer.cornerRadius == 8)
        #expect(view.layer.borderColor?.components == [0, 1, 1, 1])
        let window = UIWindow(frame: .zero)
        window.addSubview(view)
        // Asks the application above the window too, while phones of other tests may still be there.
        CurrentPort.with(NoDevice.shared) { #expect(view.traitCollection.userInterfaceStyle == .light) }
        window.overrideUserInterfaceStyle = .dark
        #expect(view.traitCollection.userInterfaceStyle == .dark)
        #expect(view.traitCollection.hasDifferentColorAppearance(comparedTo: UITraitCollection()))
        window.windowLevel = .alert + 1
        #expect(window.windowLevel.rawValue == 2001)
        UINavigationBar.appearance().tintColor = .red
        UINavigationBar.appearance().titleTextAttributes = [:]
        #expect(UINavigationBar.appearance().tintColor == .red && UINavigationBar().titleTextAttributes == nil)
        UIBarButtonItem.appearance().tag = 3
        #expect(UIBarButtonItem.appearance().tag == 3 && UITabBar.appearance() !== UITabBar.appearance().superview)
        UIView.setAnimationsEnabled(false)
        #expect(!UIView.areAnimationsEnabled)
        UIView.setAnimationsEnabled(true)
        final class Recogniser: NSObject, UIGestureRecognizerDelegate {}
        let tap = UITapGestureRecognizer()
        let recogniser = Recogniser()
        tap.delegate = recogniser
        #expect(recogniser.gestureRecognizerShouldBegin(tap) && tap.delegate === recogniser)
        #expect(recogniser.gestureRecognizer(tap, shouldReceive: UITouch()))
        #expect(!recogniser.gestureRecognizer(tap, shouldRecognizeSimultaneouslyWith: tap))
        view.touchesBegan([UITouch()], with: UIEvent())
        let sheet = UIActivityViewController(activityItems: ["text"], applicationActivities: nil)
        sheet.excludedActivityTypes = [.airDrop]
        #expect(sheet.activityItems.count == 1 && sheet.excludedActivityTypes == [.airDrop])
        UIImpactFeedbackGenerator(style: .heavy).impactOccurred()
        UINotificationFeedbackGenerator().notificationOccurred(.success)
        UISelectionFeedbackGenerator().selectionChanged()
        #expect(UIResponder.keyboardWillShowNotification.rawValue == "UIKeyboardWillShowNotification")
        #expect(UIResponder.keyboardFrameEndUserInfoKey == "UIKeyboardFrameEndUserInfoKey")
    }

    @Test("A scene's configuration is copied and archived with its classes")
    func sceneConfiguration() throws {
        let configuration = UISceneConfiguration(name: "Default", sessionRole: .windowApplication)
        configuration.sceneClass = UIWindowScene.self
        let copy = try #require(configuration.copy() as? UISceneConfiguration)
        #expect(copy.name == "Default" && copy.sceneClass == UIWindowScene.self && copy.storyboard == nil)
        let data = try NSKeyedArchiver.archivedData(withRootObject: configuration, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: UISceneConfiguration.self, from: data)
        #expect(read?.role == .windowApplication && read?.sceneClass == UIWindowScene.self)
        #expect(UISceneConfiguration().name == nil)
    }

    @Test("Actions run for their events, once for each identifier, with the control as their sender")
    func actions() {
        let button = UIButton(type: .system)
        var calls: [String] = []
        let action = UIAction(title: "Go") { calls.append("\($0.title) \($0.sender as? UIButton === button)") }
        button.addAction(action, for: .touchUpInside)
        button.addAction(action, for: .touchUpInside)
        button.sendActions(for: .touchDown)
        button.sendActions(for: .touchUpInside)
        #expect(calls == ["Go true"])
        button.removeAction(action, for: .touchUpInside)
        button.sendActions(for: .touchUpInside)
        #expect(calls.count == 1)
        let primary = UIButton(configuration: .filled(), primaryAction: action)
        primary.sendActions(for: .touchUpInside)
        #expect(calls.count == 2 && primary.currentTitle == "Go")
        primary.addTarget(self, action: Selector("tapped"), for: .touchUpInside)
        primary.removeTarget(nil, action: nil, for: .touchUpInside)
        #expect(primary.allTargets.isEmpty)
        primary.setTitle("Off", for: .disabled)
        #expect(primary.title(for: .disabled) == "Off" && primary.title(for: .selected) == "Go")
        primary.isEnabled = false
        #expect(primary.state == .disabled)
    }

    @Test("A field is the first responder while it is edited, and its delegate may decline")
    func textField() {
        final class Delegate: NSObject, UITextFieldDelegate {
            var calls: [String] = []
            func textFieldDidBeginEditing(_ textField: UITextField) { calls.append("begin") }
            func textFieldDidEndEditing(_ textField: UITextField) { calls.append("end") }
        }
        let phone = TestPhone()
        phone.install(.lab) { PlainApp() }
        let delegate = Delegate()
        let field = UITextField()
        field.delegate = delegate
        let view = UIView()
        view.addSubview(field)
        CurrentPort.with(NoDevice.shared) {
            #expect(field.becomeFirstResponder() && field.isEditing)
            #expect(view.endEditing(true) && !field.isEditing)
        }
        #expect(delegate.calls == ["begin", "end"])
    }

    @Test("The size of an image is read from the header of a PNG and of a JPEG")
    func images() throws {
        let ihdr: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        let png = Data(ihdr + [0, 0, 1, 0x2C, 0, 0, 0, 0xC8, 8, 6, 0, 0, 0])
        let image = try #require(UIImage(data: png))
        #expect(image.size == CGSize(width: 300, height: 200) && image.scale == 1)
        #expect(UIImage(data: png, scale: 2)?.size == CGSize(width: 150, height: 100))
        #expect(image.pngData() == png && image.jpegData(compressionQuality: 1) == nil)
        // APP0 of 4 bytes, a fill byte, and a progressive frame.
        let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 60, 1, 64, 3, 0, 0, 0])
        #expect(UIImage(data: jpeg)?.size == CGSize(width: 320, height: 60))
        #expect(UIImage(data: Data("GIF89a".utf8)) == nil && UIImage(data: png.prefix(20)) == nil)
        #expect(UIImage(data: Data([0xFF, 0xD8, 0xFF, 0xC4, 0, 1, 0, 0, 0, 0, 0, 0, 0])) == nil)
        #expect(UIImage(named: "absent", in: .main, compatibleWith: nil) == nil)
        #expect(UIImage(named: "absent") == nil && UIImage(contentsOfFile: "/absent.png") == nil)
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "picture.png")
            try png.write(to: file)
            #expect(UIImage(contentsOfFile: file.path)?.size.width == 300)
            #expect(UIImageView(image: image).frame.size == image.size)
        }
    }

    @Test("Colours and fonts are the system's; a catalogue's colour is nil")
    func colours() {
        #expect(UIColor.systemBlue == UIColor(red: 0, green: 122.0 / 255, blue: 1, alpha: 1))
        #expect(UIColor.label == .black && UIColor.systemBackground == .white)
        #expect(UIColor.red.withAlphaComponent(0.5) == UIColor(red: 1, green: 0, blue: 0, alpha: 0.5))
        #expect(UIColor { $0.userInterfaceStyle == .dark ? .white : .black } == .black)
        #expect(UIColor(named: "Accent") == nil)
        #expect(UIFont.preferredFont(forTextStyle: .title1).pointSize == 28)
        #expect(UIFont.systemFont(ofSize: 12, weight: .bold) != UIFont.systemFont(ofSize: 12))
        #expect(UIFont(name: "Avenir", size: 3)?.withSize(4).pointSize == 4)
    }

    @Test("Constraints are kept by their view while they are active")
    func constraints() {
        let view = UIView()
        let label = UILabel()
        view.addSubview(label)
        let constraints = [
            label.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 8),
            label.heightAnchor.constraint(equalToConstant: 40),
            label.widthAnchor.constraint(equalTo: view.widthAnchor, multiplier: 0.5),
        ]
        NSLayoutConstraint.activate(constraints)
        #expect(label.constraints == constraints && constraints.map(\.constant) == [8, 40, 0])
        constraints[0].isActive = false
        #expect(label.constraints == Array(constraints.dropFirst()))
    }

    @Test("Stacks, bars, menus, recognisers and edges hold what is put into them")
    func holders() {
        let stack = UIStackView(arrangedSubviews: [UILabel(), UISwitch()])
        stack.arrangedSubviews[0].removeFromSuperview()
        #expect(stack.arrangedSubviews == stack.subviews && stack.subviews.count == 1)
        let item = UIBarButtonItem(title: "Back", style: .plain, target: nil, action: nil)
        let navigation = UINavigationItem(title: "T")
        navigation.leftBarButtonItem = item
        #expect(navigation.leftBarButtonItems == [item] && item.title == "Back")
        #expect(UIMenu(title: "M", children: [UIAction { _ in }]).children.count == 1)
        let tap = UITapGestureRecognizer(target: nil, action: nil)
        let view = UIView()
        view.addGestureRecognizer(tap)
        #expect(tap.view === view && view.gestureRecognizers == [tap])
        view.removeGestureRecognizer(tap)
        #expect(tap.view == nil && tap.state == .possible)
        #expect(UIEdgeInsets() == .zero && UIRectEdge.all.contains(.left))
        #expect(UITabBarItem(title: "A", image: nil, tag: 2).tag == 2)
        let wheel = UIActivityIndicatorView(style: .large)
        wheel.startAnimating()
        #expect(wheel.isAnimating && wheel.style == .large)
    }

    @Test("Numbers of Apple's enumerations")
    func rawValues() {
        #expect(UIAlertController.Style.alert.rawValue == 1 && UIAlertAction.Style.destructive.rawValue == 2)
        #expect(UIModalPresentationStyle.automatic.rawValue == -2 && UIModalTransitionStyle.crossDissolve.rawValue == 2)
        #expect(UIControl.Event.touchUpInside.rawValue == 64 && UIControl.Event.editingChanged.rawValue == 131_072)
        #expect(UIBarButtonItem.SystemItem.redo.rawValue == 22 && UIKeyboardType.emailAddress.rawValue == 7)
        #expect(NSTextAlignment.natural.rawValue == 4 && UIView.ContentMode.scaleAspectFit.rawValue == 1)
        #expect(UITableView.RowAnimation.automatic.rawValue == 100 && UIReturnKeyType.done.rawValue == 9)
        #expect(UITableViewCell.CellStyle.subtitle.rawValue == 3 && UILayoutPriority.required.rawValue == 1000)
    }

    @Test("A table asks for its numbers when it is reloaded, and for each cell once")
    func table() {
        final class Source: NSObject, UITableViewDataSource, UITableViewDelegate {
            var rows = ["a", "b"]
            var calls: [String] = []
            func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
                calls.append("rows")
                return rows.count
            }
            func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
                calls.append("cell \(indexPath.row)")
                let cell = UITableViewCell(style: .subtitle, reuseIdentifier: nil)
                cell.textLabel?.text = rows[indexPath.row]
                return cell
            }
            func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {
                calls.append("shown \(indexPath.row)")
            }
        }
        let source = Source()
        let table = UITableView(frame: .zero, style: .insetGrouped)
        table.dataSource = source
        table.delegate = source
        #expect(table.numberOfSections == 1 && table.numberOfRows(inSection: 0) == 2)
        let cell = table.cellForRow(at: IndexPath(row: 1, section: 0))
        #expect(cell?.textLabel?.text == "b" && cell === table.cellForRow(at: IndexPath(row: 1, section: 0)))
        #expect(source.calls == ["rows", "cell 1", "shown 1"])
        #expect(cell.flatMap { table.indexPath(for: $0) } == IndexPath(row: 1, section: 0))
        source.rows.append("c")
        #expect(table.numberOfRows(inSection: 0) == 2)
        table.reloadData()
        #expect(table.numberOfRows(inSection: 0) == 3 && table.visibleCells.isEmpty)
        #expect(table.dequeueReusableCell(withIdentifier: "none") == nil)
        let raised = RaisedException.catching {
            _ = table.dequeueReusableCell(withIdentifier: "none", for: IndexPath(row: 0, section: 0))
        }
        #expect(raised.count == 1)
    }
}
