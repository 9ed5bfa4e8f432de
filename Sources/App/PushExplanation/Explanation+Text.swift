import PushDevice
package import PushModel

extension Explanation {
    /// The version and the state of a row, such as `iOS 10–18, 26, background, locked`.
    func name(of row: Row) -> String {
        "iOS \(systems(of: row)), \(row.states.map(\.rawValue).joined(separator: ", "))"
    }

    /// The versions of a row, such as `10–18, 26`. A range has all major versions between its ends.
    package func systems(of row: Row) -> String {
        let majors = systems.map { SystemProfile.majors.firstIndex(of: SystemProfile(version: $0).major) ?? 0 }
        var runs: [[String]] = []
        for (place, system) in systems.enumerated() where row.systems.contains(system) {
            if place > 0, runs.last?.last == systems[place - 1], 0...1 ~= majors[place] - majors[place - 1] {
                runs[runs.count - 1].append(system)
            } else {
                runs.append([system])
            }
        }
        return runs.map { run in
            let names = run.map { $0.hasSuffix(".0") ? String($0.dropLast(2)) : $0 }
            return names.count > 2 ? "\(names[0])–\(names[names.count - 1])" : names.joined(separator: ", ")
        }.joined(separator: ", ")
    }

    private var head: String {
        if let refusal = push.refusal { return "\(push.name): not sent to APNs: \(refusal)" }
        let bytes = "\(push.payload.count) bytes, \(bytesLeft) left"
        let kind = "\(push.type?.rawValue ?? "no type"), \(push.topic), \(bytes)"
        return "\(push.name): \(kind): \(refusal.map { "APNs refuses it: \($0)" } ?? "APNs accepts it")"
    }

    /// A line for the push, one for each caution and note, and one for each row.
    package var lines: [String] {
        [head] + cautions.map { "  caution: \($0)" } + notes.map { "  note: \($0)" }
            + rows.map { "  \(name(of: $0)): \($0.sight.details.joined(separator: "; "))" }
    }

    /// The same as Markdown, with the rows as a table.
    package var markdown: String {
        let table = rows.map { row in
            let states = row.states.map(\.rawValue).joined(separator: ", ")
            let cells = [systems(of: row), states] + row.sight.cells
            return
                "| \(cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ")) |"
        }
        let columns = ["iOS", "app", "shown", "text", "sound, badge, group", "extension", "callbacks"]
        let heading = ["| \(columns.joined(separator: " | ")) |", "|" + columns.map { _ in " --- |" }.joined()]
        let remarks = cautions.map { "- **caution:** \($0)" } + notes.map { "- \($0)" }
        return (["**\(head)**", ""] + remarks + (remarks.isEmpty ? [] : [""]) + (table.isEmpty ? [] : heading + table))
            .joined(separator: "\n") + "\n"
    }

    package var json: JSONMembers {
        [
            "name": push.name, "type": push.type?.rawValue, "topic": push.topic,
            "bytes": push.payload.count, "bytesLeft": bytesLeft, "refusal": refusal,
            "cautions": cautions, "notes": notes, "problems": problems,
            "rows": rows.map { row in
                var json = row.sight.json
                json["ios"] = row.systems
                json["states"] = row.states.map(\.rawValue)
                return json
            },
        ]
    }
}

extension Sight {
    private var words: String { texts.map { "'\($0)'" }.joined(separator: " / ") }

    private var effects: [String] {
        [
            sound.map { "sound \($0)" }, badge.map { "badge \($0)" }, thread.map { "thread '\($0)'" },
            buttons.map { $0 == 0 ? "no buttons" : "up to \($0) buttons of its category" },
        ].compactMap(\.self)
    }

    private var calls: String { callbacks.isEmpty ? "no call" : callbacks.joined(separator: " > ") }

    fileprivate var details: [String] {
        let parts: [[String?]] = [
            [outcome, words].filter { !$0.isEmpty }, effects, [serviceExtension.map { "extension \($0)" }, calls],
        ]
        return parts.joined().compactMap(\.self)
    }

    fileprivate var cells: [String] {
        [outcome, words, effects.joined(separator: ", "), serviceExtension ?? "no", calls]
    }

    fileprivate var json: JSONMembers {
        [
            "shown": presented, "reasons": reasons, "texts": texts,
            "sound": sound,
            "badge": badge, "thread": thread,
            "buttons": buttons, "extension": serviceExtension,
            "callbacks": callbacks,
        ]
    }
}
