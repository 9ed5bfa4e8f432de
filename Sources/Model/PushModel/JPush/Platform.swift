/// A family of devices. Posthorn delivers to `ios`; the others are understood, and have no devices here.
public enum Platform: String, Hashable, Sendable, CaseIterable {
    case android
    case ios
    case winphone
    case quickapp
    case hmos
}

extension Set<Platform> {
    /// Reads the query parameter `platform` of tags and aliases: names with commas between them; all platforms if it is
    /// missing or empty.
    ///
    /// - Throws: 7002 for a name that is none of a platform.
    public init(list: String?) throws(JPushError) {
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
