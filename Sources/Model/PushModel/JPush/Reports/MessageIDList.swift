/// The `msg_ids` of a report: decimal digits with commas between.
///
/// Source: JPush REST API v3, "Report API".
public struct MessageIDList: Hashable, Sendable {
    /// In the order in which they were asked for.
    public var ids: [MessageID]

    /// - Parameters:
    ///   - text: decoded; nil or empty if there is none.
    ///   - limit: ids at most.
    ///   - name: of the parameter, for the sentence.
    /// - Throws: 3002.
    public init(
        _ text: String?,
        limit: Int = JPushLimits.reportedMessages,
        name: String = "msg_ids"
    )
        throws(JPushError)
    {
        guard let text, !text.isEmpty else { throw .badReportParameter("'\(name)' is missing.") }
        var ids: [MessageID] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard !part.isEmpty, let id = MessageID(part) else {
                throw .badReportParameter("'\(part)' in '\(name)' is no msg_id; expected decimal digits.")
            }
            ids.append(id)
        }
        guard ids.count <= limit else {
            throw .badReportParameter("'\(name)' has \(ids.count) ids; expected \(limit) at most.")
        }
        self.ids = ids
    }
}
