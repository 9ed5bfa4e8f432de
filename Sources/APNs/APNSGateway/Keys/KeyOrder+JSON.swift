import Crypto
package import PushModel

extension KeyOrder {
    /// Reads `{"team":"ABCDE12345","environments":["production"],"topics":["com.example.app"],"relatedTo":"KEY1234567"}`; only `team` is
    /// required, and `id`, `p8` and `publicKey` are possible too.
    ///
    /// - Throws: ``JSONProblem`` with the key, what was found and what was expected.
    package init(json: JSONValue) throws(JSONProblem) {
        var json = try StrictJSONReader(json)
        try self.init(reading: &json)
        try json.finish()
    }

    init(reading json: inout StrictJSONReader) throws(JSONProblem) {
        self.init(teamID: try json.need("team", .appleID))
        if let listed = try json.optional("environments", .environments) { environments = listed }
        if let topics = try json.optional("topics", .topics) { scope = .topics(topics) }
        relatedTo = try json.optional("relatedTo", .appleID)
        id = try json.optional("id", .appleID)
        let ofPrivateKey = try json.optional("p8", .publicHalf)
        publicKey = try json.optional("publicKey", .publicKey)
        if let relatedTo, scope == .team {
            throw json.problem("relatedTo", found: .string(relatedTo), expected: "it together with 'topics'")
        }
        guard let ofPrivateKey else { return }
        guard publicKey == nil else {
            throw json.problem("publicKey", found: "given", expected: "either 'p8' or 'publicKey'")
        }
        publicKey = ofPrivateKey
    }
}

extension JSONForm<String> {
    fileprivate static var appleID: Self {
        Self("ten capital letters and digits") { value in value.string.flatMap { KeyOrder.isID($0) ? $0 : nil } }
    }
}

extension JSONForm<Set<APNSEnvironment>> {
    fileprivate static var environments: Self {
        Self("an array with 'development', 'production' or both") { value in
            guard let words = value.array, (1...APNSEnvironment.allCases.count).contains(words.count) else {
                return nil
            }
            let environments = Set(words.compactMap { $0.string.flatMap(APNSEnvironment.init(rawValue:)) })
            return environments.count == words.count ? environments : nil
        }
    }
}

extension JSONForm<Set<String>> {
    fileprivate static var topics: Self {
        Self("an array of 1 to \(KeyOrder.topicLimit) different topics, such as 'com.example.app'") { value in
            guard let texts = value.array, (1...KeyOrder.topicLimit).contains(texts.count) else { return nil }
            let topics = Set(texts.compactMap { $0.string.flatMap { isTopic($0) ? $0 : nil } })
            return topics.count == texts.count ? topics : nil
        }
    }

    private static func isTopic(_ text: String) -> Bool {
        (1...KeyOrder.topicOctets).contains(text.utf8.count) && text.isWrittenLikeTopic
    }
}

extension JSONForm<P256.Signing.PublicKey> {
    /// The largest number of octets of a key's text.
    private static var longest: Int { 4096 }

    /// A private key, of which only the public half is taken.
    fileprivate static var publicHalf: Self {
        Self("the text of a .p8 file, which begins with '-----BEGIN PRIVATE KEY-----'") { value in
            guard let text = value.string, text.utf8.count <= longest, let key = try? SigningKeyText(text) else {
                return nil
            }
            return try? P256.Signing.PrivateKey(rawRepresentation: key.scalar).publicKey
        }
    }

    fileprivate static var publicKey: Self {
        Self("a P-256 key in PEM, which begins with '-----BEGIN PUBLIC KEY-----'") { value in
            guard let text = value.string, text.utf8.count <= longest else { return nil }
            return try? P256.Signing.PublicKey(pemRepresentation: text)
        }
    }
}
