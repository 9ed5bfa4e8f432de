import ArgumentParser
import Foundation
import SystemPort

extension OrderArgument {
    /// Reads `UUID,MAJOR,MINOR,METRES`.
    static func beacon(_ text: String) throws(ValidationError) -> NearbyBeacon {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 4, let uuid = UUID(uuidString: parts[0]), let major = UInt16(parts[1]),
            let minor = UInt16(parts[2]), let distance = Double(parts[3]), distance >= 0, distance.isFinite
        else {
            throw ValidationError(
                "'beacons' takes UUID,MAJOR,MINOR,METRES, such as E2C56DB5-DFFB-48D2-B060-D0F5A71096E0,7,1,2.5; found '\(text)'."
            )
        }
        return NearbyBeacon(uuid: uuid, major: major, minor: minor, distance: distance)
    }

    /// Reads `key=value` words.
    ///
    /// - Returns: a dictionary of texts; nil without any.
    static func userInfo(_ words: [String]) throws(ValidationError) -> InfoValue? {
        var info: [InfoValue: InfoValue] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError("--user-info takes key=value; found '\(word)'.")
            }
            info[.string(parts[0])] = .string(parts[1])
        }
        return info.isEmpty ? nil : .dictionary(info)
    }
}
