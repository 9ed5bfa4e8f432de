extension JSONObject {
    /// Parses the body of a request.
    ///
    /// * `refusal`: makes an error of a sentence about the body.
    /// - Throws: that error for a body that is not a JSON object.
    init(body: [UInt8], refusal: (String) -> JPushError) throws(JPushError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw refusal("The body is not JSON: \(error).") }
        guard let object = json.object else { throw refusal("The body is \(json.kind), not an object.") }
        self = object
    }
}
