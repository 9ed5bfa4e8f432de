extension JSONObject {
    /// Members with the caller's own data, in which null may be meaningful.
    private static let foreign = ["extras", "voip", "attributes", "content-state", "params"]

    /// The push object without null members, at any depth: some libraries write null for unset members.
    ///
    /// The caller's own data in `extras` and similar members stays unchanged.
    var withoutNulls: JSONObject {
        guard holdsNulls else { return self }
        return JSONObject(
            distinct: members.compactMap { member in
                switch member.value {
                case .null: nil
                case .object(let object) where !Self.foreign.contains(member.key):
                    Member(key: member.key, value: .object(object.withoutNulls))
                default: member
                }
            }
        )
    }

    private var holdsNulls: Bool {
        members.contains { member in
            switch member.value {
            case .null: true
            case .object(let object): object.holdsNulls && !Self.foreign.contains(member.key)
            default: false
            }
        }
    }
}
