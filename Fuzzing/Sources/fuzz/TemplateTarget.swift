@testable import PushModel

/// A text of a push template, and texts of alerts with attributes. Templates come from the backend, their values from anybody.
func fuzzTemplate(_ input: [UInt8]) {
    let cut = input.firstIndex(of: 0) ?? input.endIndex
    let text = String(decoding: input[..<cut], as: UTF8.self)
    let value = String(decoding: input[cut...].dropFirst(), as: UTF8.self)
    let push: JSONObject = ["a": .string(text), "b": [.string(text), ["c": .string(text)]], "d": 1]
    let form = FillableJSON(.object(push))
    check(form.filled(form.variables.map { _ in nil }) == .object(push), "without values it is another text")
    check(Set(form.variables.map { ExactText($0) }).count == form.variables.count, "a variable is there twice")
    for name in form.variables {
        check((1...40).contains(name.unicodeScalars.count), "a name has \(name.unicodeScalars.count) scalars")
        check(form.has(variable: ExactText(name)), "the variable '\(name)' is not known")
    }
    let values = form.variables.map { _ in value }
    let filled = form.filled(values)
    check(
        filled.byteCount == form.filledBytes(values),
        "it has \(filled.byteCount) bytes, not \(form.filledBytes(values))"
    )
    check(filled.bytes.count == filled.byteCount, "\(filled.byteCount) bytes are \(filled.bytes.count)")
    _ = try? PushTemplate(parsing: input)
    _ = try? TemplatePush(parsing: input, isScheduled: false)
    let alert: JSONValue = ["platform": "ios", "audience": "all", "notification": ["alert": .string(text)]]
    guard let request = try? PushRequest(parsing: alert.bytes) else { return }
    _ = PushWarning.all(in: alert.bytes[...])
    let payload = PayloadTemplate(request.notification, messageID: MessageID(1))
    let stored = [Array(input), Array(value.utf8)] + ["a", "name"].map { JSONValue.strings([$0: value]).bytes }
    for object in stored {
        var bytes: [UInt8] = []
        var values = AttributeValues(count: 1)
        values.set(object.span, at: 0)
        payload.write(badge: 1, number: 2, values: &values, at: 0, to: &bytes)
        check(
            (try? JSONValue(parsing: bytes)) != nil,
            "a payload is no JSON: \(String(decoding: bytes, as: UTF8.self))"
        )
    }
}
