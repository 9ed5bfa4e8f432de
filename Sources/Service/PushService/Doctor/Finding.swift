package import PushModel

/// The result of one check of `posthorn doctor`: what was found, whether it is right, and the remedy.
package struct Finding: Hashable, Sendable {
    package enum State: String, Sendable, CaseIterable {
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
    package var remedy: String?
    /// The codes and values of the sentences; empty for the checks of files, which no page shows.
    package var remarks: [Remark] = []

    package init(of check: String, _ state: State, _ remarks: [Remark]) {
        self.init(of: check, state, remarks.found, remedy: remarks.remedy)
        self.remarks = remarks
    }

    package init(
        of check: String,
        _ state: State,
        _ code: Remark.Code,
        with values: [String: any CustomStringConvertible] = [:]
    ) {
        self.init(of: check, state, [Remark(code, values)])
    }

    /// Creates a finding that only the command line shows.
    package init(of check: String, _ state: State, _ found: String, remedy: String? = nil) {
        self.check = check
        self.state = state
        self.found = found
        self.remedy = remedy
    }

    package var json: JSONValue {
        [
            "check": .string(check), "state": .string(state.rawValue), "found": .string(found),
            "remedy": .orNull(remedy), "remarks": remarks.json,
        ]
    }

    /// Reads a finding from an answer; nil if it is none.
    package init?(json: JSONValue) {
        guard let object = json.object, let check = object["check"]?.string, let found = object["found"]?.string,
            let state = object["state"]?.string.flatMap(State.init(rawValue:))
        else { return nil }
        self.init(of: check, state, found, remedy: object["remedy"]?.string)
        remarks = object["remarks"]?.array?.compactMap(Remark.init(json:)) ?? []
    }
}
