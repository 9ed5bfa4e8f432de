import PushModel

/// A file of devices, as CSV or JSON lines. First octet: how the input is cut.
func fuzzDevices(_ input: [UInt8]) {
    var reader = Reader(input)
    let seed = reader.byte()
    let bytes = Array(reader.rest)
    let cut = chunks(bytes, seed: seed)
    let rows = readRows([bytes])
    check(rows == readRows(cut), "the rows differ when the file is cut")
    let lines = readLines([bytes])
    check(lines == readLines(cut), "the lines differ when the file is cut")
    for line in lines {
        guard let object = (try? JSONValue(parsing: line.bytes))?.object else { continue }
        let known = object.members.compactMap { member in
            DeviceImport.Field(header: member.key).map { ($0.rawValue, member.value) }
        }
        checkDevice(JSONObject(known))
    }
    checkDevices(rows)
}

/// A row as a value that does not depend on the buffer it lay in.
private struct Row: Equatable {
    var fields: [String]
    var problem: String?
    var line: Int
    var bytes: [UInt8]
}

private func readRows(_ chunks: [[UInt8]]) -> [Row] {
    var rows: [Row] = []
    var end = 0
    var reader = CSVReader()
    func take(isEnd: Bool) {
        while let row = reader.next(isEnd: isEnd) {
            check(row.line >= (rows.last?.line ?? 0), "line \(row.line) comes after \(rows.last?.line ?? 0)")
            check(reader.offset > end, "a row of nothing")
            check(row.problem != nil || !row.fields.isEmpty, "a row without fields")
            check(row.problem == nil || row.fields.isEmpty, "a wrong row with fields")
            end = reader.offset
            rows.append(Row(fields: row.fields, problem: row.problem, line: row.line, bytes: Array(row.bytes)))
        }
    }
    for chunk in chunks {
        reader.add(chunk)
        take(isEnd: false)
    }
    take(isEnd: true)
    let count = chunks.reduce(0) { $0 + $1.count }
    check(reader.offset == count, "\(reader.offset) of \(count) octets are read")
    return rows
}

private struct Line: Equatable {
    var bytes: [UInt8]
    var line: Int
}

private func readLines(_ chunks: [[UInt8]]) -> [Line] {
    var lines: [Line] = []
    var reader = JSONLinesReader()
    for chunk in chunks {
        reader.add(chunk)
        while let line = reader.next(isEnd: false) { lines.append(Line(bytes: Array(line.bytes), line: line.line)) }
    }
    while let line = reader.next(isEnd: true) { lines.append(Line(bytes: Array(line.bytes), line: line.line)) }
    let count = chunks.reduce(0) { $0 + $1.count }
    check(reader.offset == count, "\(reader.offset) of \(count) octets are read")
    return lines
}

private func checkDevices(_ rows: [Row]) {
    let header = rows.first?.fields.map { DeviceImport.Field(header: $0) } ?? []
    for row in rows where row.problem == nil {
        let written = row.fields.map(CSVReader.field).joined(separator: ",")
        // A row that is one empty field is an empty line.
        if !written.isEmpty, !written.utf8.starts(with: [0xEF, 0xBB, 0xBF]) {
            let again = readRows([Array(written.utf8)])
            check(again.map(\.fields) == [row.fields], "\(row.fields) are read again as \(again.map(\.fields))")
        }
        guard row.fields.count == header.count else { continue }
        let named = zip(header, row.fields).compactMap { column, field in column.map { ($0.rawValue, field) } }
        checkDevice(JSONObject(named.map { ($0, .string($1)) }))
    }
}

/// What is told of a device is told again.
private func checkDevice(_ object: JSONObject) {
    let device: DeviceImport
    do { device = try DeviceImport(object) } catch {
        check(!error.description.isEmpty, "a refusal without words")
        return
    }
    check(device.tags == device.tags?.sorted(), "tags are not sorted")
    check((device.tags?.count ?? 0) <= JPushLimits.tagsPerDevice, "\(device.tags?.count ?? 0) tags")
    guard let again = device.json.object else { return check(false, "a device is no object") }
    do {
        let read = try DeviceImport(again)
        check(read == device, "\(device) is read again as \(read)")
    } catch {
        check(false, "what is written of a device cannot be read: \(error)")
    }
}
