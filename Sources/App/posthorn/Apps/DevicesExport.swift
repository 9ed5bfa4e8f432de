import AppleDeveloper
import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct DevicesExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes devices to a file that 'posthorn import' reads.",
        discussion: """
            Oldest first: registration id, token, environment, alias, tags and attributes. The file contains device tokens, so only its owner \
            can read it. Devices without a token are written too, and 'posthorn import' leaves them out.
            """
    )

    @Option(help: .file("Path of the file to write; standard output if not given.")) var out: String?
    @Option(help: "Format: csv, or jsonl for a line of JSON per device.") var format = ImportFormat.csv
    @Option(help: "Only devices with this tag.") var tag: String?
    @Option(help: "Only devices with this alias.") var alias: String?
    @Flag(help: "With --out: print what was written as one line of JSON.") var json = false
    @OptionGroup var server: ServerOptions

    func validate() throws {
        try require(!json || out != nil, "--json needs --out; without it, '--format jsonl' prints the devices as JSON.")
    }

    func run() async throws {
        let file = try out.map { path in
            do { return try OutputFile(path, isPrivate: true) } catch { throw ValidationError("--out: \(error)") }
        }
        do {
            try await write(to: file)
        } catch {
            file?.discard()
            throw error
        }
    }

    /// Writes all devices to the file, which is complete when this returns, or to the standard output.
    private func write(to file: OutputFile?) async throws {
        let start = ContinuousClock.now
        let pages = DevicePages(client: try server.client, tag: tag, alias: alias)
        // On the standard output, the devices themselves show how far it is.
        let isQuiet = out == nil || json
        let bar = ProgressBar(isQuiet: isQuiet)
        defer { bar.clear() }
        var page = try await pages.page(withTotal: !isQuiet)
        let all = page.other?.integer
        var count = 0
        var withoutToken = 0
        var lines = format == .csv ? DeviceList.header : []
        while true {
            // While this page is written, the next one comes.
            let last = page.devices.count < DevicePages.size ? nil : page.last
            async let next = last == nil ? nil : pages.page(after: last)
            for device in page.devices.lazy.compactMap(\.self) {
                if format == .csv { page.writeRow(device, to: &lines) } else { page.writeObject(device, to: &lines) }
                if device[.token] == nil { withoutToken += 1 }
            }
            try write(lines, to: file)
            lines.removeAll(keepingCapacity: true)
            count += page.devices.count
            let done = count
            if let all, all >= done {
                let facts = "\(done) of \(all) devices"
                bar.show(bar: "\(ProgressBar.text(Double(done) / Double(max(all, 1))))  \(facts)", line: facts)
            } else {
                // Devices that have registered since are written, too.
                bar.show("\(done) devices")
            }
            guard let following = try await next else { break }
            page = following
        }
        do { try file?.commit() } catch { throw ValidationError("--out: \(error)") }
        bar.clear()
        if let out { report(count, withoutToken: withoutToken, to: out, Pace(of: count, since: start)) }
    }

    private func write(_ lines: [UInt8], to file: OutputFile?) throws {
        guard let file else { return printLines(lines) }
        do { try file.write(Data(lines)) } catch { throw ValidationError("--out: \(error)") }
    }

    private func report(_ count: Int, withoutToken: Int, to file: String, _ pace: Pace) {
        guard !json else {
            var object: JSONMembers = ["written": file, "devices": count, "without_token": withoutToken]
            pace.add(to: &object)
            return printJSON(object)
        }
        let rest = withoutToken > 0 ? ", \(withoutToken) of them without a token" : ""
        printNote("\(count) devices written\(rest). \(pace.text)")
    }
}

/// Text in a CSV file that spreadsheets do not take for a formula.
///
/// A spreadsheet computes a cell that begins with one of these characters, so an alias could read or send what the sheet has. An
/// apostrophe before it keeps it text. `posthorn import` takes that one away. Source: OWASP, "CSV Injection".
enum SpreadsheetText {
    /// Some spreadsheets take the full-width forms for the others.
    private static let beginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// Returns the text for a cell.
    static func quoted(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// Returns tags for a cell, separated by semicolons, at which some spreadsheets begin another cell.
    static func quoted(_ tags: [String]) -> String { tags.map(quoted).joined(separator: ";") }

    /// Returns the text of a cell.
    static func unquoted(_ text: String) -> String {
        text.unicodeScalars.first == "'" && isFormula(text) ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Returns the tags of a cell, separated by semicolons or commas, as they were before the apostrophes.
    static func unquotedTags(_ text: String) -> String {
        // An array, which no spreadsheet takes for a formula.
        if let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }), ["[", "{"].contains(first) {
            return text
        }
        return text.split(omittingEmptySubsequences: false) { $0 == ";" || $0 == "," }
            .map { unquoted(String($0.drop(while: \.isWhitespace))) }.joined(separator: ";")
    }

    /// Whether a field has these octets as they are: no spreadsheet takes them for a formula, and none is special in CSV.
    static func isPlain(_ octets: Span<UInt8>) -> Bool {
        guard !octets.isEmpty else { return true }
        switch octets[0] {
        // The full-width forms are not in ASCII.
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "'"), 0..<0x20,
            0x80...:
            return false
        default:
            return octets.indices.allSatisfy { place in
                octets[place] >= 0x20 && octets[place] != UInt8(ascii: "\"") && octets[place] != CSVReader.comma
            }
        }
    }

    /// Whether the text begins with a character of formulas, perhaps after apostrophes: those would be taken for the one added here.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map(beginnings.contains) ?? false
    }
}
