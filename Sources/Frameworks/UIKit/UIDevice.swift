public import Foundation
import SystemPort

/// The device on which the app runs. On Linux this, not `#available`, gives the emulated iOS version.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    private static let shared = UIDevice(inside: ())

    private init(inside: Void) {}

    open class var current: UIDevice { shared }

    open var name: String { CurrentPort.find().facts.deviceName }
    open var model: String { "iPhone" }
    open var systemName: String { "iOS" }
    /// The iOS version, `17.0` for example.
    open var systemVersion: String { CurrentPort.find().facts.systemVersion }
    /// An identifier that stays the same for this app on this device until the app is removed.
    open var identifierForVendor: UUID? { UUID(uuidString: CurrentPort.find().facts.vendorID) }

    // MARK: Battery and orientation, from the device's profile

    /// Whether the app monitors the battery; initially false.
    open var isBatteryMonitoringEnabled: Bool {
        get { AppSlot.of(CurrentPort.find()).monitorsBattery }
        set { AppSlot.of(CurrentPort.find()).monitorsBattery = newValue }
    }

    /// The battery level, 0 to 1; -1 while the battery is not monitored.
    open var batteryLevel: Float { isBatteryMonitoringEnabled ? CurrentPort.find().facts.batteryLevel : -1 }

    /// The battery's state; `unknown` while the battery is not monitored.
    open var batteryState: BatteryState {
        let facts = CurrentPort.find().facts
        guard isBatteryMonitoringEnabled else { return .unknown }
        guard facts.isCharging else { return .unplugged }
        return facts.batteryLevel >= 1 ? .full : .charging
    }

    /// The orientation; `unknown` while the app has not asked for orientations.
    open var orientation: UIDeviceOrientation {
        guard isGeneratingDeviceOrientationNotifications else { return .unknown }
        return UIDeviceOrientation(rawValue: CurrentPort.find().facts.orientation) ?? .unknown
    }

    open var isGeneratingDeviceOrientationNotifications: Bool {
        AppSlot.of(CurrentPort.find()).orientationListeners > 0
    }

    /// Starts orientation updates; calls nest. The device is never rotated, so no notification follows.
    open func beginGeneratingDeviceOrientationNotifications() {
        AppSlot.of(CurrentPort.find()).orientationListeners += 1
    }

    open func endGeneratingDeviceOrientationNotifications() {
        let slot = AppSlot.of(CurrentPort.find())
        slot.orientationListeners = max(0, slot.orientationListeners - 1)
    }

    /// The battery's state. Raw values: Apple, `UIDeviceBatteryState`.
    public enum BatteryState: Int, Sendable {
        case unknown = 0
        case unplugged = 1
        case charging = 2
        case full = 3
    }
}

/// The device's orientation. Raw values: Apple, `UIDeviceOrientation`.
public enum UIDeviceOrientation: Int, Sendable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeLeft = 3
    case landscapeRight = 4
    case faceUp = 5
    case faceDown = 6

    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
}
