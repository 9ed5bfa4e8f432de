import PushModel
import SystemPort

/// An app's registration with PushKit, CallKit and LiveCommunicationKit.
struct VoIPState: Sendable {
    /// The types whose topics are registered with the courier; they outlive the process.
    var registered: Set<PushKitType> = []
    var tokens: [PushKitType: DeviceToken] = [:]
    /// The number of VoIP pushes in a row for which it reported no call.
    var failures = 0

    // Of the current process.

    private(set) var desired: Set<PushKitType> = []
    /// The VoIP pushes that the process has, and for which it has reported no call yet; the oldest first.
    var unreported: [UnreportedPush] = []
    private(set) var providers: [Int: CallProviderRecord] = [:]
    private var invalidated: Set<Int> = []
    var observesCalls = false
    /// Whether the app uses audio apart from calls, and whether a call of another app keeps it from that.
    var usesAudio = false
    private var isSilenced = false

    mutating func startProcess() {
        desired = []
        unreported = []
        providers = [:]
        invalidated = []
        observesCalls = false
        usesAudio = false
        isSilenced = false
    }

    // MARK: PushKit

    /// Replaces the types that the process wants. Returns those before.
    mutating func desire(_ types: Set<PushKitType>) -> Set<PushKitType> {
        defer { desired = types }
        return desired
    }

    mutating func unregister(_ type: PushKitType) {
        registered.remove(type)
        tokens[type] = nil
    }

    // MARK: Pushes

    /// Returns a push if no call has been reported for it.
    func unreported(_ push: JourneySubject) -> UnreportedPush? { unreported.first { $0.subject == push } }

    /// Ends the wait for a push's report.
    mutating func finish(_ push: JourneySubject) { unreported.removeAll { $0.subject == push } }

    /// Takes a report of a call.
    ///
    /// - Returns: the push that it answers; nil if the app calls on its own.
    mutating func takeReport() -> JourneySubject? {
        failures = 0
        return unreported.isEmpty ? nil : unreported.removeFirst().subject
    }

    // MARK: CallKit and LiveCommunicationKit

    /// Returns the provider of a request: the manager, or the first of CallKit's; nil if there is none.
    func provider(for manager: Int?) -> Int? {
        guard let manager else { return providers.filter { $0.value.framework == .callKit }.keys.min() }
        return providers[manager] == nil ? nil : manager
    }

    /// Returns the largest number of groups of calls that an app may have by the framework of a provider.
    func groupLimit(of provider: Int) -> Int {
        providers.values.filter { $0.framework == providers[provider]?.framework }.map(\.maximumCallGroups).max() ?? 1
    }

    /// Sets the values of a provider, unless it is invalid. Returns whether it is new.
    mutating func provide(_ record: CallProviderRecord, as provider: Int) -> Bool {
        !invalidated.contains(provider) && providers.updateValue(record, forKey: provider) == nil
    }

    /// Forgets a provider for good. Returns whether there was one.
    mutating func invalidate(_ provider: Int) -> Bool {
        invalidated.insert(provider)
        return providers.removeValue(forKey: provider) != nil
    }

    /// Silences an app that uses audio, or gives it its audio back. Returns whether that is a change.
    mutating func silence(_ isSilenced: Bool) -> Bool {
        guard usesAudio, self.isSilenced != isSilenced else { return false }
        self.isSilenced = isSilenced
        return true
    }
}

/// A VoIP push for which an app has reported no call yet.
struct UnreportedPush: Sendable {
    var subject: JourneySubject
    /// The reason why the app need not report one; nil if it must.
    var excuse: SuppressionReason?
}
