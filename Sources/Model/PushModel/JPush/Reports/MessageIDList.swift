/// The `msg_ids` of a report: decimal digits, separated by commas.
///
/// Source: JPush REST API v3, "Report API".
package struct MessageIDList: Hashable, Sendable {
    /// The ids in the order of the request.
    package var ids: [MessageID]

    /// Parses the decoded value of the parameter `name`; nil stands for a missing one.
    ///
    /// - Throws: 3002 for a missing or invalid list.
    package init(
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
                throw .badReportParameter("'\(part)' in '\(name)' is not a msg_id; expected decimal digits.")
            }
            ids.append(id)
        }
        guard ids.count <= limit else {
            throw .badReportParameter("'\(name)' has \(ids.count) ids; expected \(limit) at most.")
        }
        self.ids = ids
    }
}
