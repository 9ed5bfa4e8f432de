import AppleDeveloper
import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

/// Sends the rows of a file to the service in batches; while one is sent, the next is read and written as a body.
///
/// Only one batch is sent at a time: of two rows for one device, the later one counts.
struct ImportRun {
    private let file: String
    private let client: APIClient
    private let environment: APNSEnvironment
    private let report: ImportReport
    private var input: ImportInput
    /// The progress; nil for standard input, which cannot be read again.
    private var bookmark: ImportBookmark?
    private var rejected: RejectedRows?
    private var tally = ImportTally()
    private var rowsNow = 0

    /// The size of a batch, which the service stores in one transaction: in rows, and in bytes of the file.
    private static let batch = (rows: 5000, bytes: 1 << 20)
    /// The maximum time for a batch. A disk may be slow, and other nodes may be writing.
    private static let batchTime = Duration.seconds(600)

    private struct Batch {
        var rows: [ImportRow] = []
        /// The position of the row after the last one.
        var place = (offset: 0, line: 0)
        /// The number of devices in the body.
        var devices = 0
        /// The body of the request.
        var body: [UInt8]

        init(in environment: APNSEnvironment) {
            body = Array("{\"environment\":\"\(environment.rawValue)\",\"devices\":[".utf8)
            body.reserveCapacity(2 * batch.bytes)
        }

        mutating func add(_ row: ImportRow) {
            rows.append(row)
            guard case .success(let device) = row.device else { return }
            if devices > 0 { body.append(UInt8(ascii: ",")) }
            device.write(to: &body)
            devices += 1
        }
    }

    /// Opens the file and moves to where an earlier run ended.
    init(
        file: String,
        format: ImportFormat?,
        source: ImportSource?,
        client: APIClient,
        bundleID: String,
        environment: APNSEnvironment,
        restart: Bool,
        report: ImportReport
    ) throws {
        self.file = file
        self.client = client
        self.environment = environment
        self.report = report
        input = try ImportInput(file, format: format, from: source, bundleID: bundleID)
        if !input.unusedColumns.isEmpty {
            report.note("Ignored columns: \(input.unusedColumns.joined(separator: ", ")).")
        }
        guard file != "-" else { return }
        if !restart, let known = try ImportBookmark.read(of: file, appKey: client.appKey) {
            bookmark = known
            tally = known.tally
            try input.seek(offset: known.offset, line: known.line)
            report.note("Continuing at line \(known.line) of \(file), where an earlier run ended.")
        } else {
            let (offset, line) = input.place
            bookmark = ImportBookmark(
                stamp: try ImportBookmark.Stamp(of: file),
                appKey: client.appKey,
                offset: offset,
                line: line
            )
        }
        rejected = try RejectedRows(path: file + ".rejected", input: input, keeping: bookmark?.rejectedBytes ?? 0)
        // Fails before anything is sent.
        try bookmark?.write(beside: file)
    }

    /// Imports the remaining rows.
    ///
    /// - Throws: `ExitCode(2)` when the service stops answering or refuses to continue.
    mutating func finish() async throws -> ImportTally {
        let client = client
        var batch = try readBatch()
        while !batch.rows.isEmpty {
            let devices = batch.devices
            let body = batch.body
            async let answer = devices == 0 ? ImportAnswer() : Self.send(body, with: client)
            let next = try readBatch()
            let result: ImportAnswer
            do { result = try await answer } catch {
                report.note("\(error)")
                let again = file == "-" ? "" : "; the same command continues from there"
                report.note("\(tally.rows) rows are done\(again).")
                if error is APIProblem {
                    report.note("The \(devices) sent last may be done, too; sending them again changes nothing.")
                }
                throw ExitCode(2)
            }
            try note(batch, result)
            batch = next
        }
        ImportBookmark.remove(of: file)
        try require(
            tally.rows > 0 || !input.leftOut.isEmpty,
            "'\(file)' holds no rows, so nothing was imported; expected one for each device."
        )
        for omission in ImportSource.Omission.allCases {
            guard let count = input.leftOut[omission] else { continue }
            report.note("Left out, because \(omission.rawValue): \(counted(count, "row")).")
        }
        if input.emptied > 0 {
            report.note("Fields with a word for no value, such as NULL, which were read as empty: \(input.emptied).")
        }
        report.finished(tally, rowsNow: rowsNow, leftOut: input.leftOut.values.reduce(0, +))
        return tally
    }

    private mutating func readBatch() throws -> Batch {
        var batch = Batch(in: environment)
        var bytes = 0
        while batch.rows.count < Self.batch.rows, bytes < Self.batch.bytes, let row = try input.next() {
            bytes += row.bytes.count
            batch.add(row)
        }
        batch.body.append(contentsOf: "]}".utf8)
        batch.place = input.place
        return batch
    }

    /// Counts the results of a batch and stores the progress.
    private mutating func note(_ batch: Batch, _ answer: ImportAnswer) throws {
        tally.created += answer.created
        tally.updated += answer.updated
        tally.unchanged += answer.unchanged
        tally.kept += answer.kept
        let refusals = Dictionary(answer.rejected.map { ($0.index, $0.problem) }) { first, _ in first }
        var index = 0
        for row in batch.rows {
            switch row.device {
            case .failure(let problem): try reject(row, problem.description)
            case .success:
                if let problem = refusals[index] {
                    try reject(row, problem)
                } else if !row.remarks.isEmpty {
                    report.remarked(line: row.line, remarks: row.remarks)
                }
                index += 1
            }
        }
        rowsNow += batch.rows.count
        bookmark?.tally = tally
        bookmark?.rejectedBytes = rejected?.bytes ?? 0
        bookmark?.offset = batch.place.offset
        bookmark?.line = batch.place.line
        try bookmark?.write(beside: file)
        report.progress(tally, rowsNow: rowsNow, offset: batch.place.offset, of: input.size)
    }

    private mutating func reject(_ row: ImportRow, _ problem: String) throws {
        tally.rejected += 1
        try rejected?.add(row, problem: problem)
        report.rejected(line: row.line, problem: problem)
    }

    /// Sends a batch, and again for as long as the service is only busy.
    private static func send(_ body: [UInt8], with client: APIClient) async throws -> ImportAnswer {
        var attempts = 0
        while true {
            let answer = try await client.post("/posthorn/v1/devices/import", body, timeout: batchTime)
            // Too many calls, or a slow disk: both are temporary.
            guard [429, 503].contains(answer.status), attempts < 120 else { return try answer.read() }
            attempts += 1
            try await ContinuousClock().sleep(for: .seconds(1))
        }
    }
}

/// The progress of an import, stored beside its file: an interrupted import continues from there.
struct ImportBookmark: Codable, Equatable {
    /// The identity of a file: its size in bytes, and its last change in milliseconds since 1970.
    struct Stamp: Codable, Equatable {
        var bytes: Int
        var modified: Int64

        init(of file: String) throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            bytes = (attributes[.size] as? NSNumber)?.intValue ?? 0
            let date = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
            modified = Int64((date.timeIntervalSince1970 * 1000).rounded())
        }
    }

    var stamp: Stamp
    var appKey: String
    /// The offset of the next row, in bytes.
    var offset: Int
    var line: Int
    var tally = ImportTally()
    /// The size of the file of rejected rows, in bytes.
    var rejectedBytes = 0

    private enum CodingKeys: String, CodingKey {
        case stamp = "_0"
        case appKey, offset, line
        case tally = "_1"
        case rejectedBytes
    }

    static func path(of file: String) -> String { file + ".posthorn-import" }

    /// Returns the stored progress of a file; nil if there is none.
    ///
    /// - Throws: `ValidationError` if it belongs to another app, or the file has changed since.
    static func read(of file: String, appKey: String) throws -> ImportBookmark? {
        let path = path(of: file)
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let bookmark: ImportBookmark = try? JSONCoding.read(from: try JSONValue(parsing: data)) else {
            throw ValidationError("'\(path)' cannot be read as the progress of an import; --restart starts over.")
        }
        try require(
            bookmark.appKey == appKey,
            "'\(file)' was being imported into app \(bookmark.appKey), not \(appKey); --restart starts over."
        )
        try require(
            try bookmark.stamp == Stamp(of: file),
            "'\(file)' has changed since its import began; --restart starts over, and duplicates no device."
        )
        return bookmark
    }

    /// Writes the progress atomically.
    func write(beside file: String) throws {
        let path = Self.path(of: file)
        do { try OutputFile.write(Data(JSONCoding.json(of: self).bytes), to: path) } catch {
            throw ValidationError("The progress of the import: \(error)")
        }
    }

    static func remove(of file: String) { OutputFile.remove(path(of: file)) }
}
