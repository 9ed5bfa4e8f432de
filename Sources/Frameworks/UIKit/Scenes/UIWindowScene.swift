/// A scene with windows.
open class UIWindowScene: UIScene {
    private var noted: [WeakWindow] = []

    /// The windows that belong to it and still exist; as on a phone, nobody but the app keeps a window.
    open var windows: [UIWindow] { noted.compactMap(\.value) }

    /// The screen of the device.
    open var screen: UIScreen { .main }
    /// The window that gets the keyboard; nil for none.
    open var keyWindow: UIWindow? { windows.last { $0.isKeyWindow } }

    func note(_ window: UIWindow) { noted.note(window) }

    func remove(_ window: UIWindow) { noted.removeAll { $0.value === window } }
}
