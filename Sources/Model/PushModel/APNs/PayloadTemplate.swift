/// The JSON of an APNs payload for many devices, built once. The badge, one number outside `aps` and the variables of alert texts are
/// filled in for each device.
package struct PayloadTemplate: Sendable {
    /// The bytes up to the badge, the last member of `aps`; usually without variables.
    private var head: AttributeTemplate
    /// The names of the variables.
    private var columns: [[UInt8]] = []
    /// The badge's key, with a comma if other members precede it.
    private let badgeKey: [UInt8]
    /// The bytes between the badge and the number; all others if there is no number.
    private let middle: [UInt8]
    /// The bytes after the number; empty without one.
    private let tail: [UInt8]

    /// Builds the common parts: `aps`, without a badge, and the members beside it. The value of `numberKey` in `others`
    /// differs by device; the one given is ignored.
    package init(aps: JSONObject, others: JSONObject = [:], numberKey: String? = nil) {
        badgeKey = Array((aps.isEmpty ? #""badge":"# : #","badge":"#).utf8)
        // The object without its closing brace.
        head = AttributeTemplate(fixed: Array(#"{"aps":"#.utf8) + aps.bytes.dropLast())
        let closing = UInt8(ascii: "}")
        let comma = UInt8(ascii: ",")
        var members = Array("}".utf8)
        var beforeNumber: [UInt8]?
        for member in others.members {
            let object = JSONObject([(member.key, member.value)])
            let bytes = object.bytes.dropFirst().dropLast()
            members.append(comma)
            guard member.key == numberKey else {
                members += bytes
                continue
            }
            members += Array(JSONValue.object([member.key: 0]).bytes.dropFirst().dropLast(2))
            beforeNumber = members
            members = []
        }
        members.append(closing)
        middle = beforeNumber ?? members
        tail = beforeNumber == nil ? [] : members
    }

    /// Creates a template that is the same payload for all devices, without a badge.
    init(whole payload: [UInt8]) {
        head = AttributeTemplate(fixed: payload)
        badgeKey = []
        middle = []
        tail = []
    }

    /// Returns the payload for one device, with a badge unless it is nil, and with the value of `numberKey` if there is one.
    package func payload(badge: Int?, number: Int64 = 0) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(usualBytes)
        write(badge: badge, number: number, to: &payload)
        return payload
    }

    /// Makes variables of `{{name|default}}` in the value of `alert`, which must be the first member of `aps`.
    mutating func findVariables(inAlert alert: JSONValue?) {
        // Every payload has single braces.
        guard let alert, PushWarning.mayConcern(head.bytes[...]) else { return }
        let end = #"{"aps":{"alert":"#.utf8.count + alert.byteCount
        head = AttributeTemplate(head.bytes, before: end, columns: &columns)
    }

    package var hasVariables: Bool { !columns.isEmpty }

    /// Appends the payload for the device at a place with its values of the variables, or with the defaults if it would be too long
    /// otherwise.
    package func write(
        badge: Int?,
        number: Int64 = 0,
        values: inout AttributeValues,
        at place: Int,
        to bytes: inout [UInt8]
    ) {
        guard hasVariables, values.select(place, columns: columns) else {
            return write(badge: badge, number: number, to: &bytes)
        }
        let start = bytes.count
        head.write(values, to: &bytes)
        writeRest(badge: badge, number: number, to: &bytes)
        guard bytes.count - start > APNSPushType.alert.payloadLimit else { return }
        bytes.removeLast(bytes.count - start)
        write(badge: badge, number: number, to: &bytes)
    }

    /// Appends the payload for one device to `bytes`, with the defaults of variables.
    package func write(badge: Int?, number: Int64 = 0, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: head.bytes)
        writeRest(badge: badge, number: number, to: &bytes)
    }

    @inline(__always)
    private func writeRest(badge: Int?, number: Int64, to bytes: inout [UInt8]) {
        if let badge {
            bytes.append(contentsOf: badgeKey)
            bytes.appendDecimal(Int64(badge))
        }
        bytes.append(contentsOf: middle)
        guard !tail.isEmpty else { return }
        bytes.appendDecimal(number)
        bytes.append(contentsOf: tail)
    }

    /// Room for a payload in bytes, of which only long values of variables need more.
    package var usualBytes: Int {
        head.bytes.count + head.valueBytes + badgeKey.count + middle.count + tail.count + 40
    }
}
