public import Foundation
import SystemPort

/// The app's window. Posthorn draws nothing; a visible window makes its root view controller appear.
@preconcurrency @MainActor
open class UIWindow: UIView {
    /// The root view controller, whose view is loaded when the window is shown.
    open var rootViewController: UIViewController? { didSet { if !isHidden { changeRoot(from: oldValue) } } }
    /// Whether it is the window that gets the keyboard.
    open internal(set) var isKeyWindow = false

    /// The window's scene; initially nil, unless the window is created for one. A window of an app without scenes gets the scene that the
    /// system gives the app (``UIApplication/connectedScenes``).
    open weak var windowScene: UIWindowScene? {
        didSet {
            oldValue?.remove(self)
            windowScene?.note(self)
        }
    }

    /// The place of a window in front of others.
    public struct Level: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        /// Creates a level from its raw value.
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        /// The level of an app's windows.
        public static let normal = Level(0)
        /// The level of the status bar.
        public static let statusBar = Level(1000)
        /// The level of alerts.
        public static let alert = Level(2000)

        /// Returns the level that is higher by a number.
        public static func + (level: Level, rise: CGFloat) -> Level { Level(level.rawValue + rise) }
    }

    /// The level; stored only.
    open var windowLevel = Level.normal

    /// Creates a window, which is initially hidden.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
    }

    /// Creates a window in a scene, in the size of its screen.
    public init(windowScene: UIWindowScene) {
        super.init(frame: windowScene.screen.bounds)
        isHidden = true
        self.windowScene = windowScene
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isHidden = true
    }

    open override var isHidden: Bool {
        didSet {
            guard isHidden != oldValue else { return }
            if isHidden { return changeRoot(from: rootViewController) }
            enterLists()
            changeRoot(from: nil)
        }
    }

    open override var window: UIWindow? { self }
    open override var next: UIResponder? { windowScene ?? UIApplication.shared }

    /// Shows the window, and makes it the one that gets the keyboard.
    open func makeKeyAndVisible() {
        isHidden = false
        makeKey()
    }

    /// Makes it the key window: the only one of its scene, or the only one of an app without scenes.
    open func makeKey() {
        let slot = CurrentPort.known.map(AppSlot.of)
        let others = windowScene?.windows ?? slot?.windows.compactMap(\.value).filter { $0.windowScene == nil } ?? []
        for other in others where other !== self { other.isKeyWindow = false }
        isKeyWindow = true
        slot?.keyWindow = self
    }

    /// Enters the window into the lists of its scene and its app, which is asked for the orientations that it supports.
    private func enterLists() {
        windowScene?.note(self)
        defer { if windowScene == nil { windowScene = CurrentPort.known.flatMap { AppSlot.of($0).implicitScene } } }
        // A window may also be created outside of any app, in a test for example.
        guard let port = CurrentPort.known else { return }
        AppSlot.of(port).windows.note(self)
        CurrentPort.with(port) { _ = UIApplication.shared.supportedInterfaceOrientations(for: self) }
    }

    /// Puts the root's view into a visible window, and takes it out of a hidden one.
    private func changeRoot(from old: UIViewController?) {
        let new = isHidden ? nil : rootViewController
        guard old !== new else { return }
        new?.isDriven = true
        new.map { addSubview($0.view) }
        Transitions.current.add {
            UIViewController.replace(old, by: new, animated: false)
            guard old !== self.rootViewController || self.isHidden else { return }
            if old?.viewIfLoaded?.superview === self { old?.viewIfLoaded?.removeFromSuperview() }
        }
    }
}
