public import Foundation

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
