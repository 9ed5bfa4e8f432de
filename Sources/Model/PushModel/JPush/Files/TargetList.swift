/// The aliases or registration ids in a file: UTF-8, one per line.
///
/// Whitespace around a name and empty lines are ignored.
package enum TargetList: Hashable, Sendable {
    case aliases([String])
    case registrationIDs([RegistrationID])

    /// - Throws: 1003, which names the first invalid line.
    package init(parsing content: ArraySlice<UInt8>, as kind: TargetKind) throws(JPushError) {
        let content = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content
        var aliases: [String] = []
        var registrationIDs: [RegistrationID] = []
        var number = 0
        for line in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard let name = String(validating: Self.trimmed(line), as: UTF8.self) else {
                throw .badValue("Line \(number) of the file is not UTF-8.")
            }
            guard !name.isEmpty else { continue }
            switch kind {
            case .alias:
                guard JPushLimits.isTag(name) else { throw Self.wrong(name, line: number, kind: "alias") }
                aliases.append(name)
            case .registrationID:
                guard let id = RegistrationID(name) else {
                    throw Self.wrong(name, line: number, kind: "registration id")
                }
                registrationIDs.append(id)
            }
        }
        guard !(aliases.isEmpty && registrationIDs.isEmpty) else {
            throw .badValue("The file holds no name; expected one on each line.")
        }
        self = kind == .alias ? .aliases(aliases) : .registrationIDs(registrationIDs)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line.removeLast() }
        return line
    }

    private static func wrong(_ name: String, line: Int, kind: String) -> JPushError {
        .badValue("Line \(line) of the file is '\(name.prefix(80))', which is no \(kind).")
    }
}
