public import Foundation
import SystemPort

/// A storyboard, by its name. Posthorn cannot read it: to create a controller from it raises an exception that names both, and says
/// what to do instead.
///
/// Source: Apple, `UIStoryboard`.
@preconcurrency @MainActor
open class UIStoryboard: NSObject {
    private let name: String

    /// Creates a storyboard; its file is not read, because nothing can compile it on Linux.
    public init(name: String, bundle storyboardBundleOrNil: Bundle?) { self.name = name }

    /// Raises an exception; returns nil within `RaisedException.catching(_:)`.
    open func instantiateInitialViewController() -> UIViewController? {
        MissingNib.raise(storyboard: name, controller: nil)
        return nil
    }

    /// Raises an exception; returns nil within `RaisedException.catching(_:)`.
    public func instantiateInitialViewController<ViewController: UIViewController>(
        creator: ((NSCoder) -> ViewController?)? = nil
    ) -> ViewController? {
        MissingNib.raise(storyboard: name, controller: nil)
        return nil
    }

    /// Raises an exception; returns an empty controller within `RaisedException.catching(_:)`.
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        MissingNib.raise(storyboard: name, controller: identifier)
        return UIViewController()
    }

    /// Raises an exception; returns a controller created with `init(nibName:bundle:)` within `RaisedException.catching(_:)`.
    public func instantiateViewController<ViewController: UIViewController>(
        identifier: String,
        creator: ((NSCoder) -> ViewController?)? = nil
    ) -> ViewController {
        MissingNib.raise(storyboard: name, controller: identifier)
        return UIViewController.make(ViewController.self)
    }
}

/// A nib, by its name. Posthorn cannot read it: to create its objects raises an exception that names it.
///
/// Source: Apple, `UINib`.
@preconcurrency @MainActor
open class UINib: NSObject {
    /// An option for the creation of a nib's objects.
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Objects for the nib from outside.
        public static let externalObjects = Self(rawValue: "UINibExternalObjects")
    }

    let name: String
    private let bundle: Bundle?

    /// Creates a nib; its file is not read, because nothing can compile it on Linux.
    public init(nibName name: String, bundle bundleOrNil: Bundle?) {
        self.name = name
        bundle = bundleOrNil
    }

    /// Raises an exception; returns nothing within `RaisedException.catching(_:)`.
    open func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [OptionsKey: Any]? = nil) -> [Any] {
        MissingNib.raise(name, in: bundle)
        return []
    }
}

extension Bundle {
    /// Raises an exception; returns nil within `RaisedException.catching(_:)`.
    @MainActor
    public func loadNibNamed(_ name: String, owner: Any?, options: [UINib.OptionsKey: Any]? = nil) -> [Any]? {
        MissingNib.raise(name, in: self)
        return nil
    }
}

/// A way from one controller of a storyboard to another. Posthorn reads no storyboards, so only an app's own code creates one.
///
/// Source: Apple, `UIStoryboardSegue`.
@preconcurrency @MainActor
open class UIStoryboardSegue: NSObject {
    /// The identifier; nil for none.
    public let identifier: String?
    /// The controller that it leads from.
    public let source: UIViewController
    /// The controller that it leads to.
    public let destination: UIViewController

    /// Creates a segue.
    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        self.identifier = identifier
        self.source = source
        self.destination = destination
    }

    /// Does nothing: a subclass does its transition here.
    open func perform() {}
}

/// The exceptions for interfaces in files, which Posthorn cannot read.
enum MissingNib {
    private static let remedy = """
        Posthorn reads no nibs and no storyboards: on Linux, create the controller or the view in code, for example within \
        #if os(Linux).
        """

    static func raise(_ name: String, in bundle: Bundle?) {
        let place = (bundle ?? .main).bundlePath
        RaisedException.raise("Could not load NIB in bundle: '\(place)' with name '\(name)'. \(remedy)")
    }

    @MainActor
    static func raise(segue identifier: String, of controller: UIViewController) {
        RaisedException.raise(
            "Receiver (<\(type(of: controller))>) has no segue with identifier '\(identifier)'. \(remedy)",
            name: "NSInvalidArgumentException"
        )
    }

    static func raise(storyboard: String, controller identifier: String?) {
        let controller =
            identifier.map { "the view controller with the identifier '\($0)'" } ?? "the initial view controller"
        RaisedException.raise(
            "Could not load \(controller) of the storyboard '\(storyboard)'. \(remedy)",
            name: "NSInvalidArgumentException"
        )
    }
}
