import Foundation
import PushModel
import SystemPort

/// The orientation of the interface. Raw values: Apple, `UIInterfaceOrientation`; left and right are those of the home button.
public enum UIInterfaceOrientation: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// The device's lower end at the right.
    case landscapeRight = 3
    /// The device's lower end at the left.
    case landscapeLeft = 4

    /// Whether it is upright or upside down.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    /// Whether it is turned to one side.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

    var mask: UIInterfaceOrientationMask { UIInterfaceOrientationMask(rawValue: 1 << UInt(rawValue)) }
}

/// A set of orientations. Raw values: Apple, `UIInterfaceOrientationMask`.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Upright.
    public static let portrait = Self(rawValue: 1 << 1)
    /// Upside down.
    public static let portraitUpsideDown = Self(rawValue: 1 << 2)
    /// The device's lower end at the right.
    public static let landscapeRight = Self(rawValue: 1 << 3)
    /// The device's lower end at the left.
    public static let landscapeLeft = Self(rawValue: 1 << 4)
    /// Both turned to a side.
    public static let landscape: Self = [.landscapeLeft, .landscapeRight]
    /// All four.
    public static let all: Self = [.portrait, .landscape, .portraitUpsideDown]
    /// All but upside down.
    public static let allButUpsideDown: Self = [.portrait, .landscape]
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask { MethodProbe.missed([]) }
}

extension UIApplication {
    /// The orientations of a window's interface: those that the delegate returns, or else those of
    /// `UISupportedInterfaceOrientations` in the Info.plist, or else all but upside down.
    ///
    /// Source: Apple, `supportedInterfaceOrientations(for:)`.
    public func supportedInterfaceOrientations(for window: UIWindow?) -> UIInterfaceOrientationMask {
        var answer: UIInterfaceOrientationMask = []
        let isAnswered = MethodProbe.reaches {
            if let delegate {
                answer = delegate.application(self, supportedInterfaceOrientationsFor: window)
            } else {
                MethodProbe.miss()
            }
        }
        return isAnswered ? answer : declaredOrientations
    }

    private var declaredOrientations: UIInterfaceOrientationMask {
        let names = CurrentPort.facts.info["UISupportedInterfaceOrientations"]?.array?.compactMap(\.string) ?? []
        let known: [String: UIInterfaceOrientationMask] = [
            "UIInterfaceOrientationPortrait": .portrait,
            "UIInterfaceOrientationPortraitUpsideDown": .portraitUpsideDown,
            "UIInterfaceOrientationLandscapeLeft": .landscapeLeft,
            "UIInterfaceOrientationLandscapeRight": .landscapeRight,
        ]
        let declared = names.compactMap { known[$0] }.reduce(into: UIInterfaceOrientationMask()) { $0.formUnion($1) }
        return declared.isEmpty ? .allButUpsideDown : declared
    }

    /// The orientation of the interface in a window: that of the device if the app supports it, otherwise the first that the app
    /// supports, portrait before landscape. ``UIInterfaceOrientation/unknown`` if it supports none.
    func orientation(of window: UIWindow?) -> UIInterfaceOrientation {
        let supported = supportedInterfaceOrientations(for: window)
        let device = UIInterfaceOrientation(rawValue: CurrentPort.facts.orientation) ?? .unknown
        let order: [UIInterfaceOrientation] = [
            device, .portrait, .landscapeRight, .landscapeLeft, .portraitUpsideDown,
        ]
        return order.first { $0 != .unknown && supported.contains($0.mask) } ?? .unknown
    }

    /// The orientation of the interface in the key window.
    @available(iOS, introduced: 2.0, deprecated: 13.0, message: "Use UIWindowScene.interfaceOrientation.")
    public var statusBarOrientation: UIInterfaceOrientation { orientation(of: keyWindow) }
}

extension UIWindowScene {
    /// The orientation of the interface in the scene.
    public var interfaceOrientation: UIInterfaceOrientation { UIApplication.shared.orientation(of: keyWindow) }
}
