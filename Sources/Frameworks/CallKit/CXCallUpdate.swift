public import Foundation
import SystemPort

/// Values of a call, for the call screen. A value that the app does not set stays as it is.
open class CXCallUpdate: NSObject, NSCopying {
    var record = CallUpdateRecord()

    public override init() { super.init() }

    /// The other party, as the call screen shows it; nil leaves it unchanged.
    open var remoteHandle: CXHandle? {
        get { record.remoteHandle.map { CXHandle($0) } }
        set { record.remoteHandle = newValue?.record }
    }

    /// The name of the other side; nil shows the value of the handle, as the emulated device has no contacts.
    open var localizedCallerName: String? {
        get { record.localizedCallerName }
        set { record.localizedCallerName = newValue }
    }

    /// Whether the call can be put on hold; true if the app never sets it.
    open var supportsHolding: Bool {
        get { record.supportsHolding ?? true }
        set { record.supportsHolding = newValue }
    }

    /// Whether the call can be merged with others; true if the app never sets it.
    open var supportsGrouping: Bool {
        get { record.supportsGrouping ?? true }
        set { record.supportsGrouping = newValue }
    }

    /// Whether the call can leave its group; true if the app never sets it.
    open var supportsUngrouping: Bool {
        get { record.supportsUngrouping ?? true }
        set { record.supportsUngrouping = newValue }
    }

    /// Whether the call screen has a keypad; true if the app never sets it.
    open var supportsDTMF: Bool {
        get { record.supportsDTMF ?? true }
        set { record.supportsDTMF = newValue }
    }

    /// Whether the call has video.
    open var hasVideo: Bool {
        get { record.hasVideo ?? false }
        set { record.hasVideo = newValue }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXCallUpdate()
        copy.record = record
        return copy
    }
}
