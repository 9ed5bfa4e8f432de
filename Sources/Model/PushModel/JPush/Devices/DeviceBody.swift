/// Parses the body of a request about devices, tags or aliases: a JSON object, whose unknown keys are ignored.
struct DeviceBody {
    let object: JSONObject

    /// - Throws: 7002 for a body that is not a JSON object.
    init(parsing body: [UInt8]) throws(JPushError) {
        object = try JSONObject(body: body) { .badDeviceParameter($0) }
    }

    /// Returns the strings of an array; none if it is missing or null.
    static func texts(_ key: String, in object: JSONObject, at path: String) throws(JPushError) -> [String] {
        guard let value = object[key], value != .null else { return [] }
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
    static func registrationIDs(_ key: String, in object: JSONObject, at path: String) throws(JPushError) -> [String] {
        let texts = try texts(key, in: object, at: path)
        guard texts.count <= JPushLimits.registrationIDsPerCall else {
            throw .badDeviceParameter(
                "'\(path)\(key)' has \(texts.count) members; at most \(JPushLimits.registrationIDsPerCall) are allowed."
            )
        }
        var seen: Set<ExactText> = []
        return texts.filter { seen.insert(ExactText($0)).inserted }
    }
}
