/// `{"msg_id":…,"registration_ids":[…],"date":"2026-01-02"}`: a query whether a push reached devices.
///
/// Source: JPush REST API v3, "Report API", "Status". The result does not depend on the day, so `date` is validated and
/// otherwise ignored (our choice).
package struct MessageStatusQuery: Hashable, Sendable {
    package var message: MessageID
    /// The distinct ids as sent.
    package var registrationIDs: [String]

    /// - Throws: 3002 for a missing or invalid parameter.
    package init(parsing body: [UInt8]) throws(JPushError) {
        let object = try JSONObject(body: body) { .badReportParameter($0) }
        message = try Self.message(object["msg_id"])
        guard let list = object["registration_ids"] else { throw .badReportParameter("'registration_ids' is missing.") }
        guard let values = list.array else {
            throw .badReportParameter("'registration_ids' is \(list.kind); expected an array.")
        }
        let limit = JPushLimits.registrationIDsPerCall
        guard (1...limit).contains(values.count) else {
            throw .badReportParameter("'registration_ids' has \(values.count) members; expected 1 to \(limit).")
        }
        var seen: Set<ExactText> = []
        registrationIDs = []
        for value in values {
            guard let text = value.string else {
                throw .badReportParameter("'registration_ids' holds \(value.kind); expected strings.")
            }
            if seen.insert(ExactText(text)).inserted { registrationIDs.append(text) }
        }
        try Self.check(date: object["date"])
    }

    private static func message(_ value: JSONValue?) throws(JPushError) -> MessageID {
        switch value {
        case nil: throw .badReportParameter("'msg_id' is missing.")
        case let value?:
            guard let number = value.jpushInteger, number >= 0 else {
                let found = value.string.map { "'\($0.prefix(40))'" } ?? value.kind
                throw .badReportParameter("'msg_id' is \(found); expected decimal digits.")
            }
            return MessageID(number)
        }
    }

    private static func check(date: JSONValue?) throws(JPushError) {
        guard let date, date != .null else { return }
        guard let text = date.string, ReportUnit.day.beginning(of: text) != nil else {
            throw .badReportParameter("'date' is \(date.text); expected a day such as \"2026-01-02\".")
        }
    }
}
