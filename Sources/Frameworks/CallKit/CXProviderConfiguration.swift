public import Foundation
import SystemPort

/// The properties of a provider.
open class CXProviderConfiguration: NSObject, NSCopying {
    /// The name that was given before iOS 14; the call screen shows the app's name.
    @available(iOS, introduced: 10.0, deprecated: 14.0, message: "No longer supported")
    open var localizedName: String? { givenName }
    private let givenName: String?
    /// The name of the sound file that plays for an incoming call; nil for the system's own.
    open var ringtoneSound: String?
    /// Stored only; the emulated device draws no icon.
    open var iconTemplateImageData: Data?
    /// The number of calls and groups that the app can have; a request for more fails with `maximumCallGroupsReached`.
    open var maximumCallGroups = 2
    /// Stored only.
    open var maximumCallsPerCallGroup = 5
    /// Stored only; the emulated device has no list of recent calls.
    open var includesCallsInRecents = true
    /// Stored only; the call screen shows video calls in any case.
    open var supportsVideo = false
    /// Stored only; nobody calls from the emulated device's contacts.
    open var supportedHandleTypes: Set<CXHandle.HandleType> = []
    /// Stored only; nothing is translated.
    @available(iOS 26.0, *)
    open var supportsAudioTranslation = false

    @available(iOS 14.0, *)
    public override init() {
        givenName = nil
        super.init()
    }

    /// Creates a configuration.
    ///
    /// - Parameter localizedName: the app's name, which the call screen shows; iOS 14 and later take it from
    ///   Info.plist.
    @available(iOS, introduced: 10.0, deprecated: 14.0, message: "No longer supported; use init()")
    public init(localizedName: String) {
        givenName = localizedName
        super.init()
    }

    private init(named name: String?) {
        givenName = name
        super.init()
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXProviderConfiguration(named: givenName)
        copy.ringtoneSound = ringtoneSound
        copy.iconTemplateImageData = iconTemplateImageData
        copy.maximumCallGroups = maximumCallGroups
        copy.maximumCallsPerCallGroup = maximumCallsPerCallGroup
        copy.includesCallsInRecents = includesCallsInRecents
        copy.supportsVideo = supportsVideo
        copy.supportedHandleTypes = supportedHandleTypes
        copy.supportsAudioTranslation = supportsAudioTranslation
        return copy
    }

    var record: CallProviderRecord {
        CallProviderRecord(
            maximumCallGroups: maximumCallGroups,
            maximumCallsPerCallGroup: maximumCallsPerCallGroup,
            ringtone: ringtoneSound
        )
    }

    var duplicate: CXProviderConfiguration { copy(with: nil) as? CXProviderConfiguration ?? self }
}
