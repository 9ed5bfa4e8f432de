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
        guard !json || out != nil else {
            throw ValidationError("--json needs --out; without it, '--format jsonl' prints the devices as JSON.")
        }
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
        var pages = DevicePages(client: try server.client, tag: tag, alias: alias)
        func write(_ lines: [String]) throws {
            guard let file else {
                for line in lines { printLine(line) }
                return
            }
            do { try file.write(Data(lines.map { $0 + "\n" }.joined().utf8)) } catch {
                throw ValidationError("--out: \(error)")
            }
        }
        let fields = DeviceImport.Field.allCases
        if format == .csv { try write([fields.map(\.rawValue).joined(separator: ",")]) }
        var count = 0
        var withoutToken = 0
        // On the standard output, the devices themselves show how far it is.
        let bar = ProgressBar(isQuiet: out == nil || json)
        defer { bar.clear() }
        let all = out == nil || json ? nil : try? await pages.count()
        while true {
            let page = try await pages.next()
            try write(page.map { (format == .csv ? Self.row : Self.object)(JSONCoding.object(of: $0), fields) })
            count += page.count
            withoutToken += page.count { $0.token == nil }
            if let all, all >= count {
                let facts = "\(count) of \(all) devices"
                bar.show(bar: "\(ProgressBar.text(Double(count) / Double(max(all, 1))))  \(facts)", line: facts)
            } else {
                // Inactive devices are written, too, and not counted before.
                bar.show("\(count) devices")
            }
            guard page.count == DevicePages.size else { break }
        }
        do { try file?.commit() } catch { throw ValidationError("--out: \(error)") }
        bar.clear()
        if let out { report(count, withoutToken, to: out) }
    }

    private func report(_ count: Int, _ withoutToken: Int, to file: String) {
        guard !json else {
            return printJSON([
                "written": .string(file), "devices": .number(count), "without_token": .number(withoutToken),
            ])
        }
        let rest = withoutToken > 0 ? ", \(withoutToken) of them without a token" : ""
        printNote("\(count) devices written\(rest).")
    }

    private static func row(_ device: JSONObject, _ fields: [DeviceImport.Field]) -> String {
        fields.map { field in
            let value = device[field.rawValue]
            // No tag contains a comma: the API separates tags by it.
            let tags = value?.array.map { SpreadsheetText.quoted($0.compactMap(\.string)) }
            let attributes = value?.object.map { $0.isEmpty ? "" : JSONValue.object($0).text }
            return CSVReader.field(tags ?? attributes ?? SpreadsheetText.quoted(value?.string ?? ""))
        }.joined(separator: ",")
    }

    private static func object(_ device: JSONObject, _ fields: [DeviceImport.Field]) -> String {
        JSONValue.object(JSONObject(fields.map { ($0.rawValue, device[$0.rawValue] ?? .null) })).text
    }
}

/// Reads an app's devices from a service page by page, oldest first.
struct DevicePages {
    let client: APIClient
    /// Nil for all devices.
    var tag: String?
    var alias: String?
    /// The registration id of the last device that was read.
    var last: String?

    /// The maximum number of devices that the service returns at a time.
    static let size = 1000

    /// Returns the number of active devices.
    func count() async throws -> Int? {
        var audience: JSONObject = [:]
        audience["tag"] = tag.map { .strings([$0]) }
        audience["alias"] = alias.map { .strings([$0]) }
        let body: JSONValue = ["audience": audience.isEmpty ? "all" : .object(audience)]
        return try await client.post("/posthorn/v1/audience", body.bytes).members["devices"]?.integer.map { Int($0) }
    }

    /// Reads the next devices; fewer than `limit` at the end.
    mutating func next(limit: Int = size) async throws -> [RegisteredDeviceAnswer] {
        let given = [("tag", tag), ("alias", alias), ("after", last), ("limit", String(limit))]
        let query = given.compactMap { name, value in value.map { "\(name)=\(APIClient.encoded($0))" } }
        let page: DeviceListAnswer = try await client.get("/posthorn/v1/devices?" + query.joined(separator: "&")).read()
        last = page.devices.last?.registrationID ?? last
        return page.devices
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

    /// Whether the text begins with a character of formulas, perhaps after apostrophes: those would be taken for the one added here.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map(beginnings.contains) ?? false
    }
}
