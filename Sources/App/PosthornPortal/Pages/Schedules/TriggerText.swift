import PushModel

/// The trigger of a schedule in words.
struct TriggerText {
    private let trigger: JSONObject
    private let texts: Catalogue

    /// `trigger`: as the API returns it.
    init(_ trigger: JSONObject, _ texts: Catalogue) {
        self.trigger = trigger
        self.texts = texts
    }

    /// Such as "Every 2 weeks on MON, FRI at 09:00:00".
    var rhythm: String {
        if let time = trigger["single"]?.object?["time"]?.string {
            return texts.text("schedules", "once", with: ["time": time])
        }
        guard let period = trigger["periodical"]?.object else { return JSONValue.object(trigger).text }
        let unit = (period["time_unit"]?.string ?? "day").lowercased()
        let frequency = period["frequency"]?.jpushInteger ?? 1
        let points = period.strings("point")
        let values = [
            "n": "\(frequency)", "time": period["time"]?.string ?? "",
            "points": points.map { point(of: $0, unit) }.joined(separator: texts["schedules", "comma"]),
        ]
        return texts.text("schedules", "\(unit)\(frequency == 1 ? "" : "s")", with: values)
    }

    private func point(of text: String, _ unit: String) -> String {
        unit == "week" ? texts["schedules", "day_\(text.lowercased())"] : String(Int(text) ?? 0)
    }

    /// The first and the last day of a periodical trigger; nil for a single one.
    var range: String? {
        guard let period = trigger["periodical"]?.object, let start = period["start"]?.string,
            let end = period["end"]?.string
        else { return nil }
        return texts.text("schedules", "range", with: ["start": start, "end": end])
    }
}
