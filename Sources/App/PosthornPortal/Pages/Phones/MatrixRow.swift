import CallbackMatrix
import PushDevice
import PushModel

/// A case of the callback matrix as *Try it* shows it.
struct MatrixRow: Sendable {
    let number: Int
    let row: MatrixCase
    let system: SystemProfile

    /// Returns the cases of a version of iOS, in the order of the table.
    static func all(iOS major: Int) -> [MatrixRow] {
        let system = SystemProfile.iOS(major)
        return MatrixCase.all(iOS: major).enumerated().map { number, row in
            MatrixRow(number: number, row: row, system: system)
        }
    }

    /// The case as a page shows it.
    var values: JSONValue {
        [
            "number": .integer(Int64(number)), "id": .string(row.id), "start": .string(row.start.rawValue),
            "payload": .string(row.payload), "act": .string(act), "delegate": .string(row.delegate.rawValue),
            "permission": .string("\(row.permission)"), "case": .string("\(row)"),
            "expected": .array(row.sequence.map { .string($0) }), "banner": .bool(row.hasBanner),
            "listed": .bool(row.isListed),
        ]
    }

    private var act: String {
        switch row.act {
        case .none: ""
        case .tap: "tap"
        case .icon: "icon"
        case .reply: "reply"
        case .dismiss: "dismiss"
        case .button(let name): name
        }
    }

    /// Runs the case on a phone of its own, in virtual time.
    func run() async -> JSONValue {
        let outcome = await MatrixStage(row, system: system).run()
        return [
            "case": .string("\(row)"), "callbacks": .array(outcome.sequence.map { .string($0) }),
            "banner": .bool(!outcome.banners.isEmpty), "listed": .bool(!outcome.listed.isEmpty),
            "differences": .array(outcome.differences(from: row).map { .string($0) }),
        ]
    }
}
