import PushModel

/// The trigger of a schedule in words.
struct TriggerText {
    let trigger: ScheduleTrigger
    let texts: Catalogue

    /// Such as "Every 2 weeks on MON, FRI at 09:00:00".
    var rhythm: String {
        switch trigger.kind {
        case .single(let time): return texts.text("schedules", "once", with: ["time": "\(time)"])
        case .periodical(let period):
            let unit = period.days.unit
            let points = period.days.points.map { point(of: $0, unit) }
            let values = [
                "n": "\(period.frequency)", "time": WallTime.text(period.time),
                "points": points.joined(separator: texts["schedules", "comma"]),
            ]
            return texts.text("schedules", "\(unit)\(period.frequency == 1 ? "" : "s")", with: values)
        }
    }

    private func point(of text: String, _ unit: String) -> String {
        unit == "week" ? texts["schedules", "day_\(text.lowercased())"] : String(Int(text) ?? 0)
    }

    /// The first and the last day of a periodical trigger; nil for a single one.
    var range: String? {
        guard case .periodical(let period) = trigger.kind else { return nil }
        return texts.text("schedules", "range", with: ["start": "\(period.start)", "end": "\(period.end)"])
    }
}
