public import Foundation

/// A way from one controller of a storyboard to another. Posthorn reads no storyboards, so only an app's own code creates one.
///
/// Source: Apple, `UIStoryboardSegue`.
@preconcurrency @MainActor
open class UIStoryboardSegue: NSObject {
    public let identifier: String?
    public let source: UIViewController
    public let destination: UIViewController

    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        self.identifier = identifier
        self.source = source
        self.destination = destination
    }

    /// Does nothing: a subclass does its transition here.
    open func perform() {}
}
