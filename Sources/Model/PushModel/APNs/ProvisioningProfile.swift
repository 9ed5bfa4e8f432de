public import Foundation

/// What lets an app onto devices and says what it may do there: a provisioning profile.
///
/// Its file is a property list with the keys of Apple's `.mobileprovision` files. Source: Apple, "TN3125: Inside Code
/// Signing: Provisioning Profiles", and "APS Environment Entitlement", read October 2026.
public struct ProvisioningProfile: Hashable, Sendable {
    /// What people call it.
    public var name: String
    public var id: UUID
    /// Ten characters.
    public var teamID: String
    /// The bundle id that it is for. In profiles of Apple's also `com.example.*` or `*`, for all that begin so.
    public var bundleID: String
    /// `aps-environment`: where the device tokens of the app are good. Nil: the app gets none.
    public var environment: APNSEnvironment?
    /// The devices that may install it, by their UDIDs; nil for all.
    public var devices: Set<String>?
    /// In whole seconds.
    public var created: Date
    /// In whole seconds; from then on nobody can install the app.
    public var expires: Date

    /// - Parameters:
    ///   - name: what people call it.
    ///   - id: its own.
    ///   - teamID: ten characters.
    ///   - bundleID: the app's.
    ///   - environment: where its device tokens are good; nil for an app without pushes.
    ///   - devices: those that may install it; nil for all.
    ///   - created: when it was made; fractions of a second are dropped, as a property list has none.
    ///   - expires: when it ends, likewise.
    public init(
        name: String,
        id: UUID,
        teamID: String,
        bundleID: String,
        environment: APNSEnvironment?,
        devices: Set<String>? = nil,
        created: Date,
        expires: Date
    ) {
        self.name = name
        self.id = id
        self.teamID = teamID
        self.bundleID = bundleID
        self.environment = environment
        self.devices = devices
        self.created = Date(timeIntervalSinceReferenceDate: created.timeIntervalSinceReferenceDate.rounded(.down))
        self.expires = Date(timeIntervalSinceReferenceDate: expires.timeIntervalSinceReferenceDate.rounded(.down))
    }

    /// Why an app is not installed.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The profile is for another app.
        case otherApp(found: String, expected: String)
        /// The profile lists devices, and this one is not among them.
        case otherDevice(String)
        case expired(Date)

        public var description: String {
            switch self {
            case .otherApp(let found, let expected):
                "The app's bundle id is '\(found)', but the provisioning profile is for '\(expected)'. "
                    + "Make a profile for the app's own App ID."
            case .otherDevice(let device):
                "The provisioning profile does not list the device '\(device)'. Make one that does."
            case .expired(let date):
                "The provisioning profile expired on \(date.formatted(.iso8601)). Make a new one."
            }
        }
    }

    /// Checks that a device may install an app with this profile.
    ///
    /// - Parameters:
    ///   - bundleID: the app's.
    ///   - device: the device's UDID.
    ///   - now: the date by the device's clock.
    /// - Throws: why it may not.
    public func check(bundleID: String, device: String, at now: Date) throws(Refusal) {
        guard isFor(bundleID) else { throw .otherApp(found: bundleID, expected: self.bundleID) }
        guard devices?.contains(device) ?? true else { throw .otherDevice(device) }
        guard now < expires else { throw .expired(expires) }
    }

    private func isFor(_ bundleID: String) -> Bool {
        guard self.bundleID.hasSuffix("*") else { return bundleID == self.bundleID }
        return bundleID.hasPrefix(self.bundleID.dropLast())
    }
}
