extension JSONObject {
    /// Members that belong to the caller, to whom null may mean something.
    private static let foreign = ["extras", "voip", "attributes", "content-state", "params"]

    /// The push object without the members that are null, at any depth: some libraries write null for a member that was not
    /// set. The caller's own data in `extras` and its like stays as it is.
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
