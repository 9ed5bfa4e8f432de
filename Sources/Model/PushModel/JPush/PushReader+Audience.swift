extension PushReader {
    static let audienceKeys = ["tag", "tag_and", "tag_not", "alias", "registration_id", "segment", "abtest"]

    func audience() throws(JPushError) -> Audience {
        if let target { return target.audience }
        let value = audienceValue ?? .null
        if value == .string("all") { return .all }
        guard let members = value.object else {
            throw .badValue("'audience' is \(value.text.prefix(80)); expected \"all\" or an object.")
        }
        guard members["live_activity_id"] == nil else {
            throw .badValue("'audience.live_activity_id' goes with 'live_activity'; use another audience.")
        }
        var filter = Audience.Filter()
        filter.tags = try tags("tag", in: members)
        filter.tagsAnd = try tags("tag_and", in: members)
        filter.tagsNot = try tags("tag_not", in: members)
        filter.aliases = try names("alias", in: members, limit: JPushLimits.audienceNames)
        for alias in filter.aliases where !JPushLimits.isTag(alias) { throw badTag("alias", alias) }
        for name in try names("registration_id", in: members, limit: JPushLimits.audienceNames) {
            guard let registrationID = RegistrationID(name) else {
                throw .badValue("'audience.registration_id' holds '\(name)', which is no registration id.")
            }
            filter.registrationIDs.append(registrationID)
        }
        filter.segments = try names("segment", in: members, limit: 1) + names("abtest", in: members, limit: 1)
        try readPast(members, into: &filter)
        // Unknown keys are reported separately, after all bad values.
        let hasUnknownKey = members.members.contains { !Self.audienceMembers.contains($0.key) }
        guard filter != Audience.Filter() || hasUnknownKey else {
            let keys = (Self.audienceKeys + Self.pastKeys).joined(separator: ", ")
            throw .badValue("'audience' has no targets; expected at least one of \(keys) that is not empty.")
        }
        return .filter(filter)
    }

    /// Returns the id of the uploaded file that is the audience; nil for any other audience.
    ///
    /// - Throws: 1003 for a file where none is allowed or next to other keys, or for a missing file where one is required.
    func fileID(_ file: FileAudience) throws(JPushError) -> String? {
        guard target == nil, let members = audienceValue?.object, let value = members["file"] else {
            guard file != .required else {
                throw .badValue("'audience' of a file push must be {\"file\":{\"file_id\":\"…\"}}.")
            }
            return nil
        }
        guard file != .refused else {
            throw .badValue("'audience.file' belongs to a schedule or to POST /v3/push/file; not to this call.")
        }
        guard members.members.count == 1 else {
            throw .badValue("'audience.file' stands alone; leave the other keys of 'audience' out.")
        }
        guard let object = value.object else { throw wrongKind("audience.file", value, expected: "an object") }
        guard let id = try string("file_id", in: object, at: "audience.file.") else {
            throw .missing("Missing parameter 'audience.file.file_id'.")
        }
        return id
    }

    private func tags(_ key: String, in members: JSONObject) throws(JPushError) -> [String] {
        let tags = try names(key, in: members, limit: JPushLimits.audienceTags)
        for tag in tags where !JPushLimits.isTag(tag) { throw badTag(key, tag) }
        return tags
    }

    private func names(_ key: String, in members: JSONObject, limit: Int) throws(JPushError) -> [String] {
        var names: [String] = []
        for member in try array(key, in: members, limit: limit) {
            guard let name = member.string, !name.isEmpty else {
                throw .badValue("'audience.\(key)' holds \(member.text); expected non-empty strings.")
            }
            names.append(name)
        }
        return names
    }

    func array(_ key: String, in members: JSONObject, limit: Int) throws(JPushError) -> [JSONValue] {
        guard let value = members[key] else { return [] }
        guard let array = value.array else {
            throw .badValue("Audience value must be JSON Array format! 'audience.\(key)' is \(value.kind).")
        }
        guard array.count <= limit else {
            throw .badValue("'audience.\(key)' has \(array.count) members; at most \(limit) are allowed.")
        }
        return array
    }

    private func badTag(_ key: String, _ text: String) -> JPushError {
        .badValue(
            """
            'audience.\(key)' holds '\(text)'; expected 1 to \(JPushLimits.tagBytes) bytes of letters, digits, '_', \
            Chinese characters and @!#$&*+=.|￥.
            """
        )
    }
}
