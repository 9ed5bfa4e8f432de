package import Foundation
package import PushModel

// A device that was imported waits for its app: nobody has its secret. When the app registers, as a device of its own, and
// brings the token, that one takes over what the import told.
extension Device {
    /// Whether the device is known from a file alone, and no app has registered as it.
    package var isImported: Bool { secretHash.bytes.isEmpty }

    /// Takes over what was imported, where the app has not said better.
    package mutating func inherit(from imported: Device) {
        alias = alias ?? imported.alias
        mobile = mobile ?? imported.mobile
        let all = Set(tags).union(imported.tags)
        if all.count <= JPushLimits.tagsPerDevice { tags = all.sorted() }
    }

    /// Nobody is meant by it any more: it counts as gone.
    package mutating func retire() {
        lastSeen = Date(timeIntervalSince1970: 0)
        token = nil
        alias = nil
        mobile = nil
        tags = []
    }

    /// Whether ``retire()`` was its end.
    package var isRetired: Bool { isImported && token == nil && lastSeen.timeIntervalSince1970 == 0 }

    /// What a row of a file says of a device that no app has registered as.
    ///
    /// `date`: up to when it was seen, as far as that goes: a file is the only sign of life that such a device gives.
    package mutating func apply(_ row: DeviceImport, environment: APNSEnvironment, seenAt date: Date) {
        // Not for every file of one day: what has not changed costs no write.
        if date.timeIntervalSince(lastSeen) > 86_400 { lastSeen = date }
        token = row.token
        self.environment = row.environment ?? environment
        alias = row.alias.text(after: alias)
        if let tags = row.tags { self.tags = tags }
    }
}
