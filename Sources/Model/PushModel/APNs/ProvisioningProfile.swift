public import Foundation

/// A provisioning profile: the permission to install an app on devices, with the app's entitlements.
///
/// Its file is a property list with the keys of Apple's `.mobileprovision` files. Source: Apple, "TN3125: Inside Code
/// Signing: Provisioning Profiles", and "APS Environment Entitlement", read October 2026.
public struct ProvisioningProfile: Hashable, Sendable {
    /// The name of the profile.
    public var name: String
    /// The UUID of the profile.
    public var id: UUID
    /// The team id, ten characters.
    public var teamID: String
    /// The bundle id of the app. Apple's profiles may also have a prefix, such as `com.example.*` or `*`.
    public var bundleID: String
    /// `aps-environment`: the environment of the app's device tokens; nil for an app without push.
    public var environment: APNSEnvironment?
    /// The UDIDs of the devices that may install the app; nil for all.
    public var devices: Set<String>?
    /// The creation date, in whole seconds.
    public var created: Date
    /// The expiration date, in whole seconds; the app cannot be installed from then on.
    public var expires: Date

    /// Creates a profile. Fractions of a second are dropped from dates, as property lists have none.
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

    /// The reason why an app is not installed.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The profile is for another app.
        case otherApp(found: String, expected: String)
        /// The profile lists devices, but not this one.
        case otherDevice(String)
        /// The profile ended on this date.
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

    /// Checks that a device, by its UDID and the date on its clock, may install an app with this profile.
    ///
    /// - Throws: the reason why it may not.
    public func check(bundleID: String, device: String, at now: Date) throws(Refusal) {
        guard isFor(bundleID) else { throw .otherApp(found: bundleID, expected: self.bundleID) }
        guard devices?.contains(device) ?? true else { throw .otherDevice(device) }
        guard now < expires else { throw .expired(expires) }
    }

    /// Whether the profile is for an app.
    package func isFor(_ bundleID: String) -> Bool {
        guard self.bundleID.hasSuffix("*") else { return bundleID == self.bundleID }
        return bundleID.hasPrefix(self.bundleID.dropLast())
    }
}
