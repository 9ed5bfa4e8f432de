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
        checkFields(of: Array(line.bytes), JSONObject(known))
    }
    checkDevices(rows)
    checkFields(ofRowsIn: bytes)
}

/// Fields that are read where they stand are those of the object.
private func checkFields(of line: [UInt8], _ object: JSONObject) {
    var parser = JSONParser(bytes: line)
    var keys = DeviceKeys { DeviceImport.Field(header: $0) }
    do {
        try parser.start()
        let fields = try parser.deviceFields(&keys)
        try parser.end()
        guard let device = DeviceImport(fields, in: line) else { return }
        check((try? DeviceImport(object)) == device, "\(device) is read as another, or refused")
    } catch { check(false, "a line that is JSON is not: \(error)") }
}

/// Fields that are found where they stand are those of the row.
private func checkFields(ofRowsIn bytes: [UInt8]) {
    var reader = CSVReader()
    reader.add(bytes)
    while true {
        var found = reader
        var fields: [Range<Int>] = []
        let end = found.find(&fields)
        guard let row = reader.next(isEnd: true) else { return check(end == nil, "fields of no row") }
        guard let end else { continue }
        check(
            row.fields == fields.map { String(decoding: found.buffer[$0], as: UTF8.self) },
            "\(row.fields) are others"
        )
        let (line, octets) = found.take(to: end)
        check(line == row.line && octets == row.bytes, "another row")
        check(found.offset == reader.offset && found.line == reader.line, "another place")
    }
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
    var written: [UInt8] = []
    device.write(to: &written)
    guard let again = (try? JSONValue(parsing: written))?.object else { return check(false, "a device is no object") }
    do {
        let read = try DeviceImport(again)
        check(read == device, "\(device) is read again as \(read)")
    } catch {
        check(false, "what is written of a device cannot be read: \(error)")
    }
}
