import Foundation

/// A button. Its titles and images are kept for each state; nothing is drawn, and `sendActions(for:)` presses it.
///
/// Source: Apple, `UIButton`.
@preconcurrency @MainActor
open class UIButton: UIControl {
    /// The kind of a button. Raw values: Apple, `UIButtonType`.
    public enum ButtonType: Int, Sendable {
        /// Without any style; as the system draws it; a sign for details.
        case custom, system, detailDisclosure
        /// A light and a dark sign for information; a plus sign.
        case infoLight, infoDark, contactAdd
        /// A cross.
        case close = 7
    }

    /// The look of a button. Its values are kept.
    public struct Configuration {
        /// The title; nil for none.
        public var title: String?
        /// The second line; nil for none.
        public var subtitle: String?
        /// The picture; nil for none.
        public var image: UIImage?
        /// The colour of text and picture; stored only.
        public var baseForegroundColor: UIColor?
        /// The colour of the area; stored only.
        public var baseBackgroundColor: UIColor?

        /// Returns a configuration without an area; all of them look the same here.
        public static func plain() -> Self { Self() }
        /// Returns a configuration with a tinted area; looks like any other here.
        public static func tinted() -> Self { Self() }
        /// Returns a configuration with a grey area; looks like any other here.
        public static func gray() -> Self { Self() }
        /// Returns a configuration with a filled area; looks like any other here.
        public static func filled() -> Self { Self() }
        /// Returns a configuration with a border; looks like any other here.
        public static func bordered() -> Self { Self() }
    }

    /// The type that it was created with.
    open private(set) var buttonType = ButtonType.custom
    /// Title, picture and colours, in the way of iOS 15; nil for the older way.
    open var configuration: Configuration?
    /// The space around the content; stored only.
    open var contentEdgeInsets = UIEdgeInsets.zero
    /// The menu of the button; nil for none. Stored only.
    open var menu: UIMenu?
    /// Whether a tap opens the menu; stored only.
    open var showsMenuAsPrimaryAction = false
    /// The label of the title.
    open private(set) lazy var titleLabel: UILabel? = UILabel()
    /// The view of the picture.
    open private(set) lazy var imageView: UIImageView? = UIImageView()
    private var titles: [UInt: String] = [:]
    private var titleColors: [UInt: UIColor] = [:]
    private var images: [UInt: UIImage] = [:]
    private var backgroundImages: [UInt: UIImage] = [:]

    /// Creates a button of a type.
    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        self.buttonType = buttonType
    }

    /// Creates a button of a type that performs an action at a tap.
    public convenience init(type buttonType: ButtonType, primaryAction: UIAction?) {
        self.init(frame: .zero, primaryAction: primaryAction)
        self.buttonType = buttonType
        setTitle(primaryAction?.title, for: .normal)
    }

    /// Creates a button with a configuration that performs an action at a tap.
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) {
        self.init(frame: .zero, primaryAction: primaryAction)
        self.configuration = configuration
        setTitle(configuration.title ?? primaryAction?.title, for: .normal)
    }

    /// Sets the title for a state.
    open func setTitle(_ title: String?, for state: State) {
        titles[state.rawValue] = title
        titleLabel?.text = currentTitle
    }

    /// Returns the title for a state; if it has none, the one for the normal state.
    open func title(for state: State) -> String? { titles[state.rawValue] ?? titles[0] }
    /// Sets the colour of the title for a state; stored only.
    open func setTitleColor(_ color: UIColor?, for state: State) { titleColors[state.rawValue] = color }
    /// Returns the colour of the title for a state; if it has none, the one for the normal state.
    open func titleColor(for state: State) -> UIColor? { titleColors[state.rawValue] ?? titleColors[0] }

    /// Sets the picture for a state.
    open func setImage(_ image: UIImage?, for state: State) {
        images[state.rawValue] = image
        imageView?.image = currentImage
    }

    /// Returns the picture for a state; if it has none, the one for the normal state.
    open func image(for state: State) -> UIImage? { images[state.rawValue] ?? images[0] }
    /// Sets the picture behind the title for a state; stored only.
    open func setBackgroundImage(_ image: UIImage?, for state: State) { backgroundImages[state.rawValue] = image }
    /// Returns the picture behind the title for a state; if it has none, the one for the normal state.
    open func backgroundImage(for state: State) -> UIImage? { backgroundImages[state.rawValue] ?? backgroundImages[0] }

    /// The title for the current state.
    open var currentTitle: String? { title(for: state) }
    /// The picture for the current state.
    open var currentImage: UIImage? { image(for: state) }

    /// Performs the actions for the events; `.touchUpInside` triggers the primary action too, as a touch does.
    open override func sendActions(for controlEvents: Event) {
        super.sendActions(for: controlEvents)
        if controlEvents == .touchUpInside { super.sendActions(for: .primaryActionTriggered) }
    }
}
