extension JSONObject {
    /// Parses the body of a request.
    ///
    /// - Throws: the error that `refusal` makes of a sentence, for a body that is not a JSON object.
    init(body: [UInt8], refusal: (String) -> JPushError) throws(JPushError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw refusal("The body is not JSON: \(error).") }
        guard let object = json.object else { throw refusal("The body is \(json.kind), not an object.") }
        self = object
    }
}
