import PushModel

// The rules for tags and aliases, which the SDK applies before it sends, and each service again.
extension SDKReply {
    /// Returns the refusal of a list of tags; nil if all are valid. One invalid tag fails the whole call.
    package static func refusal(ofTags tags: [String], bytes limit: Int = JPushLimits.tagBytesPerRequest) -> SDKReply? {
        guard tags.count <= JPushLimits.tagsPerDevice else {
            return SDKReply(code: 6007, message: "A call has at most \(JPushLimits.tagsPerDevice) tags.")
        }
        for tag in tags {
            guard tag.utf8.count <= JPushLimits.tagBytes else {
                return SDKReply(code: 6006, message: "The tag '\(tag)' is longer than \(JPushLimits.tagBytes) bytes.")
            }
            guard JPushLimits.isTag(tag) else {
                return SDKReply(code: 6005, message: "The tag '\(tag)' has a character that tags may not have.")
            }
        }
        let bytes = tags.reduce(0) { $0 + $1.utf8.count }
        guard bytes <= limit else {
            return SDKReply(code: 6008, message: "The tags have \(bytes) bytes together; at most \(limit) are allowed.")
        }
        return nil
    }

    /// Returns the refusal of an alias; nil if it is valid.
    package static func refusal(ofAlias alias: String) -> SDKReply? {
        guard alias.utf8.count <= JPushLimits.tagBytes else {
            return SDKReply(code: 6004, message: "The alias is longer than \(JPushLimits.tagBytes) bytes.")
        }
        guard JPushLimits.isTag(alias) else {
            return SDKReply(code: 6003, message: "The alias '\(alias)' is empty or contains an invalid character.")
        }
        return nil
    }
}
