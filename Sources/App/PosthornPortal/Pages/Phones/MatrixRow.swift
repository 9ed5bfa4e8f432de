import CallbackMatrix
import PushDevice
import PushModel
import UserNotifications

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
    func values(in texts: Catalogue) -> JSONValue {
        [
            "number": .number(number), "id": .string(row.id), "label": .string(label(in: texts)),
            "case": .string("\(row)"), "expected": .strings(row.sequence), "banner": .bool(row.hasBanner),
            "listed": .bool(row.isListed),
        ]
    }

    /// Describes the case in words: no two cases of a version have the same.
    func label(in texts: Catalogue) -> String {
        func text(_ key: String) -> String { texts["phone", key] }
        let act =
            switch row.act {
            case .none: text("act_none")
            case .tap: text("act_tap")
            case .icon: text("act_icon")
            case .reply: text("act_reply")
            case .dismiss: text("act_dismiss")
            case .button(let name): texts.text("phone", "act_button", with: ["name": name])
            }
        let usual = [
            text("start_\(row.start.rawValue)"), row.payload, act, text("delegate_\(row.delegate.rawValue)"),
            text("permission_\(row.permission)"),
        ]
        let unusual = [
            row.hasBackgroundMode ? nil : text("no_background_mode"), answer(in: texts),
            row.clearsOnActivation ? text("clears_on_activation") : nil,
            row.zeroesBadge ? text("zeroes_badge") : nil,
        ]
        return (usual + unusual.compactMap(\.self)).joined(separator: " · ")
    }

    /// Names the options that `willPresent` returns, if they are not all.
    private func answer(in texts: Catalogue) -> String? {
        let names: [(UNNotificationPresentationOptions, String)] = [
            (.banner, ".banner"), (.list, ".list"), (.sound, ".sound"), (.badge, ".badge"), (.alert, ".alert"),
        ]
        let returned = names.filter { row.options.contains($0.0) }.map(\.1)
        guard returned != [".banner", ".list", ".sound", ".badge"] else { return nil }
        return texts.text("phone", "returns", with: ["options": "[\(returned.joined(separator: ", "))]"])
    }

    /// Runs the case on a phone of its own, in virtual time.
    func run() async -> JSONValue {
        let outcome = await MatrixStage(row, system: system).run()
        return [
            "case": .string("\(row)"), "callbacks": .strings(outcome.sequence),
            "banner": .bool(!outcome.banners.isEmpty), "listed": .bool(!outcome.listed.isEmpty),
            "differences": .array(outcome.differences(from: row).map { .string($0) }),
        ]
    }
}
