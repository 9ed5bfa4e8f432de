public import Foundation

/// The device's screen, in points.
@preconcurrency @MainActor
open class UIScreen: NSObject {
    private static let only = UIScreen(inside: ())

    private init(inside: Void) {}

    /// The screen of the device.
    open class var main: UIScreen { only }

    /// The size of the screen: 390 × 844 points.
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    /// The pixels of a point: 3.
    open var scale: CGFloat { 3 }
}
