// The bodies of requests about devices, tags or aliases. Unknown keys are ignored.
extension JSONObject {
    /// - Throws: 7002 for a body that is not a JSON object.
    init(ofDevices body: [UInt8]) throws(JPushError) { try self.init(body: body) { .badDeviceParameter($0) } }

    /// Returns the strings of an array; none if it is missing or null.
    func texts(_ key: String, at path: String) throws(JPushError) -> [String] {
        guard let value = self[key], value != .null else { return [] }
        guard let array = value.array else {
            throw .badDeviceParameter("'\(path)\(key)' is \(value.kind); expected an array of strings.")
        }
        var texts: [String] = []
        for member in array {
            guard let text = member.string, !text.isEmpty else {
                throw .badDeviceParameter("'\(path)\(key)' holds \(member.text); expected non-empty strings.")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the distinct registration ids of an array; they may not exist.
    func registrationIDs(_ key: String, at path: String) throws(JPushError) -> [String] {
        let texts = try texts(key, at: path)
        guard texts.count <= JPushLimits.registrationIDsPerCall else {
            throw .badDeviceParameter(
                "'\(path)\(key)' has \(texts.count) members; at most \(JPushLimits.registrationIDsPerCall) are allowed."
            )
        }
        var seen: Set<ExactText> = []
        return texts.filter { seen.insert(ExactText($0)).inserted }
    }
}
