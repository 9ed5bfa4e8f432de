import PushModel

/// Payloads and push requests, as anybody may send them. What is read and written again is the same.
func fuzzJSON(_ input: [UInt8]) {
    if let value = try? JSONValue(parsing: input) {
        let written = value.bytes
        do {
            let again = try JSONValue(parsing: written)
            check(again == value, "written and read again it differs: \(value.text)")
            check(again.bytes == written, "written twice it differs: \(value.text)")
            check(again.hashValue == value.hashValue, "equal values have two hashes: \(value.text)")
        } catch {
            check(false, "what is written is not JSON: \(error): \(value.text)")
        }
    }
    _ = try? PushRequest(parsing: input)
    checkBatch(input)
    let text = String(decoding: input, as: UTF8.self)
    if let token = DeviceToken(text) {
        check(DeviceToken(token.hexadecimal) == token, "a device token is another one when it is read again")
    }
}

/// A batch is kept as it was written: each of its pushes reads the same from its place in the text.
private func checkBatch(_ input: [UInt8]) {
    for kind in [TargetKind.alias, .registrationID] {
        guard let batch = try? PushBatch(parsing: input, to: kind) else { continue }
        for entry in batch.entries {
            guard case .success(let push) = entry.push else { continue }
            let alone = try? PushBatch(
                parsing: [UInt8]("{\"pushlist\":{\"c\":".utf8) + batch.text[entry.range] + [UInt8]("}}".utf8),
                to: kind
            )
            let again = try? alone?.entries.first?.push.get()
            check(again?.target == push.target, "a push goes elsewhere from where it is written: \(entry.range)")
            check(again?.options == push.options, "a push reads otherwise from where it is written: \(entry.range)")
        }
    }
}
