import Foundation
import PushModel

/// A `.mobileprovision` file, in XML, as a binary property list, or in an envelope.
func fuzzProfile(_ input: [UInt8]) {
    guard let profile = try? ProvisioningProfile(file: Data(input)) else { return }
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    for device in [profile.devices?.first, "00008030-000000000000001E"].compactMap(\.self) {
        do {
            try profile.check(bundleID: profile.bundleID, device: device, at: now)
            check(now < profile.expires, "an expired profile is taken")
            check(profile.devices?.contains(device) ?? true, "a device is taken that is not listed")
        } catch {
            check(!"\(error)".isEmpty, "a refusal without words")
        }
    }
    // Ours are written for a team id of ten characters. A word of it may hold what XML cannot, so it need not be writable.
    guard !profile.teamID.isEmpty, !profile.teamID.utf8.contains(UInt8(ascii: ".")),
        let written = try? profile.propertyList()
    else { return }
    do {
        let again = try ProvisioningProfile(file: written)
        check(again == profile, "written and read again it differs: \(profile), \(again)")
    } catch {
        check(false, "what is written is no profile: \(error): \(profile)")
    }
}
