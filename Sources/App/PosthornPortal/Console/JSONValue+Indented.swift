import PushModel

extension JSONValue {
    /// The value as JSON with a line for each member, for people.
    var indented: String {
        var text = ""
        write(into: &text, indent: "")
        return text
    }

    private func write(into text: inout String, indent: String) {
        let deeper = indent + "  "
        switch self {
        case .object(let object) where !object.members.isEmpty:
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                text += "\(index > 0 ? ",\n" : "")\(deeper)\(JSONValue.string(member.key).text): "
                member.value.write(into: &text, indent: deeper)
            }
            text += "\n\(indent)}"
        case .array(let values) where !values.isEmpty:
            text += "[\n"
            for (index, value) in values.enumerated() {
                text += "\(index > 0 ? ",\n" : "")\(deeper)"
                value.write(into: &text, indent: deeper)
            }
            text += "\n\(indent)]"
        default: text += self.text
        }
    }
}
