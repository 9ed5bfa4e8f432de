public import Foundation
import SystemPort

/// The device on which the app runs. On Linux this, not `#available`, gives the emulated iOS version.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    private static let shared = UIDevice(inside: ())

    private init(inside: Void) {}

    /// The device that the running code belongs to.
    open class var current: UIDevice { shared }

    /// The device's name; since iOS 16 apps get `iPhone` unless they have an entitlement.
    open var name: String { CurrentPort.facts.deviceName }
    /// The text `iPhone`.
    open var model: String { "iPhone" }
    /// The text `iPhone`.
    open var localizedModel: String { model }
    /// The text `iOS`.
    open var systemName: String { "iOS" }
    /// The iOS version, `17.0` for example.
    open var systemVersion: String { CurrentPort.facts.systemVersion }
    /// An identifier that stays the same for this app on this device until the app is removed.
    open var identifierForVendor: UUID? { UUID(uuidString: CurrentPort.facts.vendorID) }

    // MARK: Battery and orientation, from the device's profile

    /// Whether the app monitors the battery; initially false.
    open var isBatteryMonitoringEnabled: Bool {
        get { AppSlot.current.monitorsBattery }
        set { AppSlot.current.monitorsBattery = newValue }
    }

    /// The battery level, 0 to 1; -1 while the battery is not monitored.
    open var batteryLevel: Float { isBatteryMonitoringEnabled ? CurrentPort.facts.batteryLevel : -1 }

    /// The battery's state; `unknown` while the battery is not monitored.
    open var batteryState: BatteryState {
        let facts = CurrentPort.facts
        guard isBatteryMonitoringEnabled else { return .unknown }
        guard facts.isCharging else { return .unplugged }
        return facts.batteryLevel >= 1 ? .full : .charging
    }

    /// The orientation; `unknown` while the app has not asked for orientations.
    open var orientation: UIDeviceOrientation {
        guard isGeneratingDeviceOrientationNotifications else { return .unknown }
        return UIDeviceOrientation(rawValue: CurrentPort.facts.orientation) ?? .unknown
    }

    /// Posted when the device is rotated; never here.
    public nonisolated static let orientationDidChangeNotification = NSNotification.Name(
        "UIDeviceOrientationDidChangeNotification"
    )

    /// Whether the app hears of the device's orientation.
    open var isGeneratingDeviceOrientationNotifications: Bool {
        AppSlot.current.orientationListeners > 0
    }

    /// Starts orientation updates; calls nest. The device is never rotated, so no notification follows.
    open func beginGeneratingDeviceOrientationNotifications() {
        AppSlot.current.orientationListeners += 1
    }

    /// Ends the reports; each begin needs an end.
    open func endGeneratingDeviceOrientationNotifications() {
        let slot = AppSlot.current
        slot.orientationListeners = max(0, slot.orientationListeners - 1)
    }

    /// The battery's state. Raw values: Apple, `UIDeviceBatteryState`.
    public enum BatteryState: Int, Sendable {
        /// Not known, because monitoring is off.
        case unknown = 0
        /// Running on the battery.
        case unplugged = 1
        /// Charging.
        case charging = 2
        /// Charging, and full.
        case full = 3
    }
}

/// The device's orientation. Raw values: Apple, `UIDeviceOrientation`.
public enum UIDeviceOrientation: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// Turned to the left, with the lower end at the right.
    case landscapeLeft = 3
    /// Turned to the right, with the lower end at the left.
    case landscapeRight = 4
    /// Lying with the screen up.
    case faceUp = 5
    /// Lying with the screen down.
    case faceDown = 6

    /// Whether it is upright or upside down.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    /// Whether it is turned to one side.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// Whether it is lying.
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
}
