/// A device platform.
///
/// Posthorn delivers to `ios`; the others are accepted but have no devices.
package enum Platform: String, Hashable, Sendable, CaseIterable {
    case android
    case ios
    case winphone
    case quickapp
    case hmos
}

extension Set<Platform> {
    /// Parses the query parameter `platform` of tags and aliases: names separated by commas; all platforms if missing or empty.
    ///
    /// - Throws: 7002 for an unknown platform.
    package init(list: String?) throws(JPushError) {
        guard let list, !list.isEmpty else {
            self = Set(Platform.allCases)
            return
        }
        self = []
        for name in list.split(separator: ",") {
            guard let platform = Platform(rawValue: String(name)) else {
                let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badDeviceParameter("'platform' holds '\(name)'; expected any of \(known), with commas between.")
            }
            insert(platform)
        }
    }
}
