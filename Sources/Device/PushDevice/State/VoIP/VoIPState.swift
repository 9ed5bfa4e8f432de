import PushModel
import SystemPort

/// An app's registration with PushKit and CallKit.
struct VoIPState: Sendable {
    /// The types whose topics are registered with the courier; they outlive the process.
    var registered: Set<PushKitType> = []
    var tokens: [PushKitType: DeviceToken] = [:]
    /// The number of VoIP pushes in a row for which it reported no call.
    var failures = 0

    // Of the current process.

    var desired: Set<PushKitType> = []
    /// The VoIP pushes that the process has, and for which it has reported no call yet; the oldest first.
    var unreported: [JourneySubject] = []
    var providers: [Int: CallProviderRecord] = [:]
    var observesCalls = false
    /// Whether the app uses audio apart from calls, and whether a call of another app keeps it from that.
    var usesAudio = false
    var isSilenced = false

    mutating func startProcess() {
        desired = []
        unreported = []
        providers = [:]
        observesCalls = false
        usesAudio = false
        isSilenced = false
    }

    /// Takes a report of a call.
    ///
    /// - Returns: the push that it answers; nil if the app calls on its own.
    mutating func takeReport() -> JourneySubject? {
        failures = 0
        return unreported.isEmpty ? nil : unreported.removeFirst()
    }
}
