import PushModel
import Testing

@Suite("Comma-separated values")
struct CSVReaderTests {
    /// Returns the rows of `text`, which comes in pieces of `size` bytes.
    private func rows(_ text: String, inPiecesOf size: Int = .max) -> [CSVReader.Row] { rows(Array(text.utf8), size) }

    private func rows(_ bytes: [UInt8], _ size: Int = .max) -> [CSVReader.Row] {
        var reader = CSVReader()
        var rows: [CSVReader.Row] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.add(rest.prefix(size))
            rest = rest.dropFirst(size)
            while let row = reader.next(isEnd: false) { rows.append(row) }
        }
        while let row = reader.next(isEnd: true) { rows.append(row) }
        #expect(reader.offset == bytes.count, "All is read.")
        return rows
    }

    @Test(
        "Reads rows however they are written",
        arguments: [
            ("", []), ("a", [["a"]]), ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
            ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
            ("\u{FEFF}a,b\n", [["a", "b"]]), ("\n\r\n\na\n\n\nb\n\n", [["a"], ["b"]]),
            ("a,\n,a\n", [["a", ""], ["", "a"]]),
            (",\n", [["", ""]]), ("\"a,b\",c\n", [["a,b", "c"]]), ("\"a\"\"b\",\"\"\n", [["a\"b", ""]]),
            ("\"a\r\nb\nc\",d\r\ne,f", [["a\r\nb\nc", "d"], ["e", "f"]]), ("\"a\"", [["a"]]), ("\"a\"\r\n", [["a"]]),
            ("\"\"\"\"", [["\""]]), ("中,￥\n", [["中", "￥"]]), (" a , b \n", [[" a ", " b "]]),
            ("a\rb\n", [["a"], ["b"]]),
        ] as [(String, [[String]])]
    )
    func reads(_ text: String, _ expected: [[String]]) {
        let whole = rows(text)
        #expect(whole.map(\.fields) == expected)
        #expect(whole.allSatisfy { $0.problem == nil })
        for size in [1, 2, 3, 5] { #expect(rows(text, inPiecesOf: size) == whole, "in pieces of \(size)") }
    }

    @Test(
        "lorawanStack5632_oro96_linesEndWithCarriageReturns",
        arguments: [
            ("token,tags\ra,b\rc,d", [["token", "tags"], ["a", "b"], ["c", "d"]]),
            ("\u{FEFF}token\r\r\ra\r\r", [["token"], ["a"]]), ("\"a\rb\",\"c\"\r\"d\"\r", [["a\rb", "c"], ["d"]]),
            ("a\r\nb\rc\nd\r\r\ne", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ] as [(String, [[String]])]
    )
    func carriageReturns(_ text: String, _ expected: [[String]]) {
        let whole = rows(text)
        #expect(whole.map(\.fields) == expected)
        for size in [1, 2, 3] { #expect(rows(text, inPiecesOf: size) == whole, "in pieces of \(size)") }
    }

    @Test("Knows the line of each row that ends with a carriage return")
    func linesOfCarriageReturns() {
        #expect(rows("h\r\r\"a\rb\"\rc\"\rd").map(\.line) == [1, 3, 5, 6])
    }

    @Test(
        "Another separator leaves commas to the fields, and is quoted in a field",
        arguments: [";", "\t"] as [Unicode.Scalar]
    )
    func separators(_ separator: Unicode.Scalar) {
        var reader = CSVReader()
        reader.separator = UInt8(ascii: separator)
        let field = CSVReader.field("a\(separator)b", separator: UInt8(ascii: separator))
        reader.add(Array("x,y\(separator)\(field)\(separator)\"z\"\(separator)\n".utf8))
        #expect(reader.next(isEnd: true)?.fields == ["x,y", "a\(separator)b", "z", ""])
    }

    @Test(
        "Fields of a row of the usual form are found where they stand",
        arguments: ["a,b\n", "a,\n", ",\r\n", "\"a,b\",c\r\n", "\"a\nb\",\"\"\n", "中,￥\n", " a ,b\rc"] as [String]
    )
    func finds(_ text: String) throws {
        var plain = CSVReader()
        plain.add(Array("h\n\(text)x".utf8))
        _ = plain.next(isEnd: true)
        var found = plain
        let next = plain.next(isEnd: true)
        let expected = try #require(next)
        var fields: [Range<Int>] = []
        let place = found.find(&fields)
        let end = try #require(place)
        #expect(fields.map { String(decoding: found.buffer[$0], as: UTF8.self) } == expected.fields)
        let (line, bytes) = found.take(to: end)
        #expect((line, bytes) == (expected.line, expected.bytes))
        #expect((found.line, found.offset) == (plain.line, plain.offset))
    }

    @Test(
        "Any other row is left to the reader of rows",
        arguments: ["", "a,b", "a,b\r", "\n", "a\"b\n", "\"a\"\"b\",c\n", "\"a\"b\n", "\"a\n"] as [String]
    )
    func doesNotFind(_ text: String) {
        var reader = CSVReader()
        reader.add(Array("h\n\(text)".utf8))
        _ = reader.next(isEnd: true)
        let place = reader.offset
        var fields: [Range<Int>] = []
        let end = reader.find(&fields)
        #expect(end == nil && reader.offset == place)
        reader.add([0xFF, 0x0A])
        let wrong = reader.find(&fields)
        #expect(text != "" || wrong == nil, "It is not UTF-8.")
    }

    @Test("Knows the line and the bytes of each row")
    func lines() {
        let found = rows("h\r\n\r\n\"a\nb\"\r\nc")
        #expect(found.map(\.line) == [1, 3, 5])
        #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["h", "\"a\nb\"", "c"])
    }

    @Test("Goes on where another reader was")
    func goesOn() {
        let bytes = Array("h\n\"a\nb\"\nc\nd\n".utf8)
        var first = CSVReader()
        first.add(bytes)
        for _ in 0..<2 { _ = first.next(isEnd: false) }
        var second = CSVReader(offset: first.offset, line: first.line)
        second.add(bytes[first.offset...])
        let row = second.next(isEnd: true)
        #expect(row?.fields == ["c"])
        #expect(row?.line == 4)
    }

    @Test(
        "Tells of a row that is wrong and goes on with the next line",
        arguments: [
            ("a\"b\nc", "A quote stands inside a field", 2), ("\"a\"b\nc", "Something follows a closing quote", 2),
            ("\"a\nc", "A quote is opened and never closed", 2), ("\"a\"b\rc", "Something follows", 2),
        ] as [(String, String, Int)]
    )
    func wrong(_ text: String, _ problem: String, _ count: Int) throws {
        for size in [Int.max, 1, 2] {
            let found = rows(text, inPiecesOf: size)
            #expect(found.count == count)
            let first = try #require(found.first)
            #expect(first.fields == [])
            #expect(first.problem?.hasPrefix(problem) == true)
            #expect(
                first.problem?.hasSuffix(
                    "; expected fields as in RFC 4180, with quotes around the whole field or none."
                ) == true
            )
            #expect(found.last?.fields == ["c"])
            #expect(found.last?.line == 2)
        }
    }

    @Test("Says what is not UTF-8")
    func notUTF8() throws {
        let found = rows([0x61, 0xFF, 0x0A, 0x62])
        #expect(found.first?.problem?.hasPrefix("The row is not UTF-8; save the file as UTF-8") == true)
        #expect(found.last?.fields == ["b"])
    }

    @Test("A quote that is never closed costs no more than a row may have")
    func endlessQuote() {
        var reader = CSVReader()
        reader.add(Array("\"a\n".utf8))
        var row: CSVReader.Row?
        for _ in 0..<8 where row == nil {
            reader.add(Array(String(repeating: "x", count: 300_000).utf8) + [0x0A])
            row = reader.next(isEnd: false)
        }
        #expect(row?.problem?.hasPrefix("A quote is opened") == true)
        #expect(row?.bytes.count == 2)
        let next = reader.next(isEnd: false)
        #expect(next?.line == 2)
    }

    @Test("A row that is too long is reported once, and the next line is read", arguments: ["a,x", "a,\"x"])
    func longRow(_ start: String) {
        var reader = CSVReader()
        var found: [CSVReader.Row] = []
        var fields: [Range<Int>] = []
        for piece in ["h\n" + start] + Array(repeating: String(repeating: "x", count: 400_000), count: 9) + ["\nb\n"] {
            reader.add(Array(piece.utf8))
            #expect(reader.find(&fields) == nil || found.count == 2)
            while let row = reader.next(isEnd: false) { found.append(row) }
        }
        #expect(found.map(\.line) == [1, 2, 3])
        #expect(found.map(\.fields) == [["h"], [], ["b"]])
        #expect(reader.offset == 3_600_005 + start.utf8.count)
    }

    @Test("A field is written so that it is read again", arguments: ["a", "", "a,b", "a\"b", "a\nb", "a\r\nb"])
    func writes(_ text: String) {
        #expect(rows("x,\(CSVReader.field(text))\n").map(\.fields) == [["x", text]])
    }
}

@Suite("JSON lines")
struct JSONLinesTests {
    @Test("A line of more than 1 MB is reported with its beginning, and the next one is read")
    func longLines() {
        let long = "{\"a\":\"" + String(repeating: "x", count: JSONLinesReader.lineBytes) + "\"}"
        let text = "{}\n\(long)\r\n[1]\n\(long)"
        for size in [Int.max, 1 << 20, 1000] {
            var reader = JSONLinesReader()
            var found: [JSONLinesReader.Line] = []
            var offsets: [Int] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                reader.add(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let line = reader.next(isEnd: false) {
                    found.append(line)
                    offsets.append(reader.offset)
                }
            }
            while let line = reader.next(isEnd: true) { found.append(line) }
            #expect(found.map(\.line) == [1, 2, 3, 4], "\(size)")
            #expect(found.map(\.isTooLong) == [false, true, false, true])
            #expect(found.map(\.bytes.count) == [2, 1024, 3, 1024])
            #expect(offsets == [3, 3 + long.utf8.count + 2, 3 + long.utf8.count + 6])
            #expect(reader.offset == text.utf8.count)
        }
    }

    @Test("Lines come with their number, however they end and in whatever pieces")
    func lines() {
        let text = "\u{FEFF}{\"a\":1}\r\n\n  \n{\"b\":2}\n{\"c\":3}\r{\"d\":4}\r"
        for size in [Int.max, 1, 2, 7] {
            var reader = JSONLinesReader()
            var found: [JSONLinesReader.Line] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                reader.add(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let line = reader.next(isEnd: false) { found.append(line) }
            }
            while let line = reader.next(isEnd: true) { found.append(line) }
            #expect(
                found.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                    "{\"a\":1}", "{\"b\":2}", "{\"c\":3}", "{\"d\":4}",
                ]
            )
            #expect(found.map(\.line) == [1, 4, 5, 6])
            #expect(reader.offset == text.utf8.count)
        }
    }
}
