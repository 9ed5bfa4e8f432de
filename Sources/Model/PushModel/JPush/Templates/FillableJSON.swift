/// A JSON value whose texts may have variables (``TemplateText``), which are found once.
struct FillableJSON: Hashable, Sendable {
    fileprivate indirect enum Form: Hashable, Sendable {
        /// A value without variables.
        case fixed(JSONValue)
        case text([Part])
        case array([Form])
        case object([Member])
    }

    fileprivate struct Member: Hashable, Sendable {
        let key: String
        let form: Form
    }

    fileprivate enum Part: Hashable, Sendable {
        case text(String)
        /// `isInAlert`: its value must not become a variable of the alert.
        case variable(number: Int, written: String, isInAlert: Bool)
    }

    /// The names of the variables, in the order in which they appear.
    private(set) var variables: [String] = []
    private var numbers: [ExactText: Int] = [:]
    /// How often each variable appears outside alerts, and in them.
    private var uses: [Int] = []
    private var usesInAlerts: [Int] = []
    private var form = Form.fixed(.null)
    /// The number of bytes of the value with empty texts for the variables.
    private var bytesWithoutVariables = 0

    init(_ json: JSONValue) {
        form = read(json, at: "")
        bytesWithoutVariables = filled(variables.map { _ in "" }).byteCount
    }

    func has(variable name: ExactText) -> Bool { numbers[name] != nil }

    /// The places of texts with variables of their own, which are filled for each device.
    private static let alerts = [
        "notification.alert", "notification.ios.alert", "notification.ios.x_localized", "inapp_message.x_localized",
    ]

    private mutating func read(_ json: JSONValue, at path: String, isInAlert: Bool = false) -> Form {
        let isInAlert = isInAlert || Self.alerts.contains(path)
        switch json {
        case .string(let text):
            let parts = TemplateText(text).parts
            return parts.contains { if case .variable = $0 { true } else { false } }
                ? .text(parts.map { read($0, isInAlert) }) : .fixed(json)
        case .array(let values):
            let forms = values.map { read($0, at: "", isInAlert: isInAlert) }
            return forms.allSatisfy(\.isFixed) ? .fixed(json) : .array(forms)
        case .object(let object):
            let members = object.members.map { member in
                let place = path.isEmpty ? member.key : "\(path).\(member.key)"
                return Member(key: member.key, form: read(member.value, at: place, isInAlert: isInAlert))
            }
            return members.allSatisfy(\.form.isFixed) ? .fixed(json) : .object(members)
        case .null, .bool, .integer, .double, .decimal: return .fixed(json)
        }
    }

    private mutating func read(_ part: TemplateText.Part, _ isInAlert: Bool) -> Part {
        switch part {
        case .text(let text): return .text(text)
        case .variable(let name, let written):
            let number = numbers[ExactText(name)] ?? variables.count
            if number == variables.count {
                numbers[ExactText(name)] = number
                variables.append(name)
                uses.append(0)
                usesInAlerts.append(0)
            }
            if isInAlert {
                usesInAlerts[number] += 1
            } else {
                uses[number] += 1
            }
            return .variable(number: number, written: written, isInAlert: isInAlert)
        }
    }

    /// Returns the value with texts for the variables, in the order of ``variables``; one with nil stays as it is written.
    func filled(_ values: [String?]) -> JSONValue { form.filled(values) }

    /// Returns the number of bytes of ``filled(_:)``, without building it.
    func filledBytes(_ values: [String]) -> Int {
        // Without the quotes.
        func bytes(_ text: String) -> Int { JSONValue.string(text).byteCount - 2 }
        return values.indices.reduce(bytesWithoutVariables) { sum, number in
            let inAlerts = usesInAlerts[number]
            let literal = inAlerts == 0 ? 0 : inAlerts * bytes(values[number].withLiteralBraces)
            return sum + uses[number] * bytes(values[number]) + literal
        }
    }
}

extension FillableJSON.Form {
    fileprivate var isFixed: Bool { if case .fixed = self { true } else { false } }

    fileprivate func filled(_ values: [String?]) -> JSONValue {
        switch self {
        case .fixed(let json): return json
        case .array(let forms): return .array(forms.map { $0.filled(values) })
        case .object(let members):
            return .object(
                JSONObject(distinct: members.map { .init(key: $0.key, value: $0.form.filled(values)) })
            )
        case .text(let parts):
            var filled = ""
            for part in parts {
                switch part {
                case .text(let text): filled += text
                case .variable(let number, let written, let isInAlert):
                    filled += values[number].map { isInAlert ? $0.withLiteralBraces : $0 } ?? written
                }
            }
            return .string(filled)
        }
    }
}
