/// The JSON of an APNs payload for many devices, built once. The badge, one number outside `aps` and the variables of alert texts are
/// filled in for each device.
package struct PayloadTemplate: Sendable {
    /// The bytes up to the first variable, or to the badge, the last member of `aps`.
    private var head: [UInt8]
    /// The variables, with the bytes up to the next one or the badge; usually none.
    private var variables: [PayloadVariable] = []
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
        head = Array(#"{"aps":"#.utf8) + JSONValue.object(aps).bytes.dropLast()
        let (closing, comma) = (UInt8(ascii: "}"), UInt8(ascii: ","))
        var members = Array("}".utf8)
        var beforeNumber: [UInt8]?
        for member in others.members {
            let object = JSONObject([(member.key, member.value)])
            let bytes = JSONValue.object(object).bytes.dropFirst().dropLast()
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
    init(whole payload: [UInt8]) { (head, badgeKey, middle, tail) = (payload, [], [], []) }

    /// Returns the payload for one device, with a badge unless it is nil, and with the value of `numberKey` if there is one.
    package func payload(badge: Int?, number: Int64 = 0) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(longestPayload)
        write(badge: badge, number: number, to: &payload)
        return payload
    }

    /// Makes variables of `{{name|default}}` in the value of `alert`, which must be the first member of `aps`.
    mutating func findVariables(inAlert alert: JSONValue?) {
        // Every payload has single braces.
        guard let alert, PushWarning.mayConcern(head[...]) else { return }
        let end = #"{"aps":{"alert":"#.utf8.count + alert.byteCount
        (head, variables) = PayloadVariable.all(in: head, before: end)
    }

    package var hasVariables: Bool { !variables.isEmpty }

    /// Appends the payload for one device with its values of the variables, or with the defaults if it would be too long otherwise.
    package func write(badge: Int?, number: Int64 = 0, values: [String: String], to bytes: inout [UInt8]) {
        guard hasVariables, !values.isEmpty else { return write(badge: badge, number: number, to: &bytes) }
        let start = bytes.count
        bytes.append(contentsOf: head)
        for variable in variables { variable.write(values[variable.name], to: &bytes) }
        writeRest(badge: badge, number: number, to: &bytes)
        guard bytes.count - start > APNSPushType.alert.payloadLimit else { return }
        bytes.removeLast(bytes.count - start)
        write(badge: badge, number: number, to: &bytes)
    }

    /// Appends the payload for one device to `bytes`, with the defaults of variables.
    package func write(badge: Int?, number: Int64 = 0, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: head)
        if hasVariables { for variable in variables { variable.write(nil, to: &bytes) } }
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

    /// An upper bound of the payload's size in bytes.
    package var longestPayload: Int { head.count + badgeKey.count + middle.count + tail.count + 40 + variableBytes }

    private var variableBytes: Int { variables.reduce(0) { $0 + $1.following.count + AttributeEdit.valueBytes } }
}

/// A place in an alert text that is filled with an attribute of each device, and the bytes after it.
private struct PayloadVariable: Sendable {
    let name: String
    /// The text for a device without the attribute, escaped.
    let fallback: [UInt8]
    var following: [UInt8] = []

    /// Appends the value, or the default without one, and what follows.
    func write(_ value: String?, to bytes: inout [UInt8]) {
        if let value {
            bytes.append(contentsOf: JSONValue.string(value).bytes.dropFirst().dropLast())
        } else {
            bytes.append(contentsOf: fallback)
        }
        bytes.append(contentsOf: following)
    }

    /// The longest name in bytes (``AttributeEdit/isName(_:)``).
    private static let nameBytes = 40

    /// Returns the bytes before the first variable, and the variables that end before `end`.
    ///
    /// Takes linear time, because anybody may send a text that begins many variables and ends none.
    static func all(in bytes: [UInt8], before end: Int) -> (head: [UInt8], variables: [PayloadVariable]) {
        var (found, head, from, place) = ([PayloadVariable](), bytes, 0, 0)
        // The end of a string in which no braces follow that end a variable.
        var endOfString = 0
        while place < end {
            guard place >= endOfString, let (name, start) = name(at: place, in: bytes[..<end]) else {
                place += 1
                continue
            }
            let fallbackEnd = Self.end(of: bytes[start..<end])
            guard fallbackEnd < end, bytes[fallbackEnd] == UInt8(ascii: "}") else {
                endOfString = fallbackEnd
                place += 1
                continue
            }
            if found.isEmpty {
                head = Array(bytes[..<place])
            } else {
                found[found.count - 1].following = Array(bytes[from..<place])
            }
            found.append(PayloadVariable(name: name, fallback: Array(bytes[start..<fallbackEnd])))
            from = fallbackEnd + 2
            place = from
        }
        if !found.isEmpty { found[found.count - 1].following = Array(bytes[from...]) }
        return (head, found)
    }

    /// Returns the name of the variable that may begin at a place within a JSON string, and the place after its bar.
    private static func name(at place: Int, in bytes: ArraySlice<UInt8>) -> (name: String, next: Int)? {
        guard bytes[place...].starts(with: "{{".utf8) else { return nil }
        let name = bytes[(place + 2)...].prefix(nameBytes).prefix { $0 != UInt8(ascii: "|") }
        guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: "|") else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        return AttributeEdit.isName(text) ? (text, name.endIndex + 1) : nil
    }

    /// Returns the place of the next two closing braces, or of the end of the JSON string if it comes before.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int {
        var next = bytes.startIndex
        while next < bytes.endIndex, bytes[next] != UInt8(ascii: "\""), !bytes[next...].starts(with: "}}".utf8) {
            next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1
        }
        return next
    }
}
