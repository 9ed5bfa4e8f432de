/// A change to the tags of one device.
package enum TagEdit: Hashable, Sendable {
    case clear
    /// A tag in both lists is added.
    case edit(remove: [String], add: [String])

    /// Parses the value of `tags`: `""`, or an object with `add`, `remove` or both.
    init(_ value: JSONValue) throws(JPushError) {
        if value == .string("") {
            self = .clear
            return
        }
        guard let members = value.objectOrEmpty else {
            throw .badDeviceParameter("'tags' is \(value.text.prefix(80)); expected \"\" or an object.")
        }
        self = .edit(remove: try Self.tags("remove", in: members), add: try Self.tags("add", in: members))
    }

    private static func tags(_ key: String, in members: JSONObject) throws(JPushError) -> [String] {
        let tags = try members.texts(key, at: "tags.")
        guard tags.count <= JPushLimits.tagsPerChange else {
            throw .badDeviceParameter(
                "'tags.\(key)' has \(tags.count) members; at most \(JPushLimits.tagsPerChange) are allowed in a call."
            )
        }
        let bytes = tags.reduce(0) { $0 + $1.utf8.count }
        guard bytes <= JPushLimits.tagBytesPerChange else {
            throw .badDeviceParameter(
                "'tags.\(key)' has \(bytes) bytes; at most \(JPushLimits.tagBytesPerChange) are allowed in a call."
            )
        }
        for tag in tags { _ = try JPushLimits.deviceTag(tag, "tags.\(key)") }
        return tags
    }

    /// Returns the sorted tags of a device after the change.
    ///
    /// - Throws: 7002 if there are too many.
    package func tags(after old: [String]) throws(JPushError) -> [String] {
        guard case .edit(let remove, let add) = self else { return [] }
        let tags = Set(exactly: old).subtracting(Set(exactly: remove)).union(Set(exactly: add))
        guard tags.count <= JPushLimits.tagsPerDevice || tags.count <= old.count else {
            throw .badDeviceParameter(
                "The device would have \(tags.count) tags; at most \(JPushLimits.tagsPerDevice) are allowed."
            )
        }
        return tags.texts
    }
}
