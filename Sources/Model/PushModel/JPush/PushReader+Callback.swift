extension PushReader {
    private static let callbackKeys = ["url", "params", "type"]

    func checkRequiredCallbackKeys() throws(JPushError) {
        guard let members = rare["callback"]?.object, members["url"] == nil else { return }
        throw .missing("Missing parameter 'callback.url'; an app has no address of its own.")
    }

    /// Reads the address that is told what becomes of the push; nil if there is none.
    func callback() throws(JPushError) -> PushCallback? {
        guard let value = rare["callback"] else { return nil }
        guard let members = value.object else { throw wrongKind("callback", value, expected: "an object") }
        let url = members["url"] ?? .null
        guard let text = url.string else { throw wrongKind("callback.url", url, expected: "a URL of https or http") }
        if let flaw = PushCallback.flaw(of: text) {
            throw .badValue(
                "'callback.url' is \(url.text.prefix(80)), which \(flaw). It must be a URL of https or http with a host."
            )
        }
        let params = try object(members["params"], at: "callback.params")
        var callback = PushCallback(url: text, params: params ?? [:], kinds: .all)
        if let type = members["type"] {
            guard let bits = type.jpushInteger, (1...PushCallback.Kind.all.rawValue).contains(bits) else {
                throw .badValue(
                    "'callback.type' is \(type.text.prefix(40)); expected a sum of 1 (delivered), 2 (clicked), 4 (not delivered) and "
                        + "8 (succeeded)."
                )
            }
            callback.kinds = PushCallback.Kind(rawValue: bits)
        }
        return callback
    }

    func checkUnknownCallbackKeys() throws(JPushError) {
        guard let members = rare["callback"]?.object else { return }
        try check(members, against: Self.callbackKeys, at: "callback.")
    }

    func checkSize(of callback: PushCallback) throws(JPushError) {
        let bytes = callback.params.byteCount
        guard bytes > JPushLimits.callbackParamsBytes else { return }
        throw .tooLarge("'callback.params' has \(bytes) bytes; at most \(JPushLimits.callbackParamsBytes) are allowed.")
    }
}
