package import PushModel

/// The result of one check of `posthorn doctor`: what was found, whether it is right, and the remedy.
package struct Finding: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable, CaseIterable {
        case ok
        /// Right for now, or only for some pushes.
        case warning
        case wrong
        /// Nothing could be found out.
        case unknown
    }

    /// The name of the check, such as `credential.production`.
    package var check: String
    package var state: State
    /// One or two sentences.
    package var found: String
    /// The remedy, in one or two sentences; nil if nothing is to be done.
    @OrNull package var remedy: String?
    /// The codes and values of the sentences.
    package var remarks: [Remark]

    package init(of check: String, _ state: State, _ remarks: [Remark]) {
        self.check = check
        self.state = state
        self.remarks = remarks
        found = remarks.found
        remedy = remarks.remedy
    }

    package init(
        of check: String,
        _ state: State,
        _ code: Remark.Code,
        with values: [String: any CustomStringConvertible] = [:]
    ) {
        self.init(of: check, state, [Remark(code, values)])
    }
}
