import Testing

@testable import PushAPI

@Suite("Multipart forms")
struct MultipartTests {
    private static let type = "multipart/form-data; boundary=b"

    private func parts(_ body: String, _ type: String = type) throws -> [[String]] {
        try MultipartForm(Array(body.utf8), contentType: type).parts.map {
            [$0.name, $0.fileName ?? "-", String(decoding: $0.content, as: UTF8.self)]
        }
    }

    private func problem(_ body: String, _ type: String? = type) throws -> String {
        let error = #expect(throws: MultipartProblem.self) {
            try MultipartForm(Array(body.utf8), contentType: type)
        }
        return try #require(error).description
    }

    private static func part(_ disposition: String = "form-data; name=\"n\"", _ content: String = "c") -> String {
        "--b\r\nContent-Disposition: \(disposition)\r\n\r\n\(content)\r\n"
    }

    @Test("Fields and files come out as they went in, with what looks like a boundary and is none")
    func fieldsAndFiles() throws {
        let content = "a\r\n\r\n--bc\r\n --b\r\nx--b\r\n--b x\n"
        let body =
            Self.part("form-data; name=\"ttl\"", "24")
            + Self.part("form-data; name=\"filename\"; filename=\"别名.txt\"\r\nContent-Type: text/plain", content)
            + "--b--\r\nand an epilogue"
        #expect(try parts(body) == [["ttl", "-", "24"], ["filename", "别名.txt", content]])
        let form = try MultipartForm(Array(body.utf8), contentType: Self.type)
        #expect(form["ttl"]?.content.elementsEqual("24".utf8) == true)
        #expect(form["other"] == nil)
    }

    @Test("Octets that are no text, and nothing at all, are content too")
    func anyOctets() throws {
        let head = Array("--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n".utf8)
        for content: [UInt8] in [[], [0x0D], [0x0D, 0x0A], [0, 0xFF, 0x0D, 0x0A, 0x2D, 0x2D]] {
            let form = try MultipartForm(head + content + Array("\r\n--b--".utf8), contentType: Self.type)
            #expect(form["n"].map { Array($0.content) } == content)
        }
    }

    @Test("Forms with nothing in them, a preamble, blanks behind a boundary, and many parts")
    func shapes() throws {
        #expect(try parts("--b--") == [])
        #expect(try parts("preamble\r\n--b--\r\n") == [])
        #expect(try parts("preamble\r\n" + Self.part() + "--b--") == [["n", "-", "c"]])
        #expect(try parts(Self.part().replacing("--b\r\n", with: "--b \t\r\n") + "--b--") == [["n", "-", "c"]])
        #expect(try parts(String(repeating: Self.part(), count: 100) + "--b--").count == 100)
    }

    @Test(
        "Names are read as client libraries write them",
        arguments: [
            ("form-data; name=\"n\"; filename=\"a \\\"b\\\".txt\"", "a \"b\".txt"),
            ("form-data; name=n; filename=a.txt", "a.txt"), ("Form-Data;name=\"n\";filename=\"a;b=c\"", "a;b=c"),
            ("form-data; filename=\"%22q%22\" ; name=\"n\"", "\"q\""),
            ("form-data; name=\"n\"; filename=\"C:\\dir\\a.txt\"", "C:\\dir\\a.txt"),
            ("form-data; x; name = \"n\"; filename = \"\"", ""),
            // A mark that joins the character before it is a character of the name all the same.
            ("form-data;\u{301}=x; name=\"n\"; filename=\"\u{301}a\"\u{301}", "\u{301}a"),
        ]
    )
    func names(_ disposition: String, _ fileName: String) throws {
        #expect(try parts(Self.part(disposition) + "--b--") == [["n", fileName, "c"]])
    }

    @Test(
        "The boundary is read as client libraries write it",
        arguments: [
            "multipart/form-data; boundary=b", "multipart/form-data; boundary=\"b\"",
            "Multipart/Form-Data;charset=utf-8; BOUNDARY=b ", "multipart/form-data; boundary=\"b\"; charset=UTF-8",
        ]
    )
    func boundary(_ type: String) throws {
        #expect(try parts(Self.part() + "--b--", type) == [["n", "-", "c"]])
    }

    @Test("A body that is not a form is refused with what was found")
    func problems() throws {
        #expect(try problem("", nil).contains("expected multipart/form-data"))
        #expect(try problem("", "application/json").contains("'application/json'"))
        #expect(try problem("", "multipart/form-data").contains("names no boundary"))
        #expect(try problem("", "multipart/form-data; boundary=").contains("names no boundary"))
        for cut in ["", "--b", "--c--", "x\r\n--b", Self.part(), Self.part() + "--b", Self.part() + "--b-"] {
            #expect(try problem(cut).contains("cut off"), "\(cut)")
        }
        #expect(try problem("--b\r\nContent-Disposition: form-data; name=\"n\"\r\n").contains("does not end"))
        let long = String(repeating: "x", count: 8192)
        #expect(try problem("--b\r\nX: \(long)\r\n\r\nc\r\n--b--").contains("more than 8192 bytes"))
        #expect(try problem("--b\r\nnothing\r\n\r\nc\r\n--b--").contains("no 'Name: value'"))
        for disposition in ["attachment; name=\"n\"", "form-data", "form-data; name", "form-data; name=\"n"] {
            #expect(try problem(Self.part(disposition) + "--b--").contains("Content-Disposition"), "\(disposition)")
        }
        let encoded = Self.part("form-data; name=\"n\"\r\nContent-Transfer-Encoding: BASE64")
        #expect(try problem(encoded + "--b--").contains("base64"))
        #expect(try problem(String(repeating: Self.part(), count: 101) + "--b--").contains("more than 100 parts"))
    }

    @Test("The library for Go closes its form too late: a whole body without its last boundary ends with its last part")
    func goSDK_lastBoundaryIsMissing() throws {
        let file = "--b\r\nContent-Disposition: form-data; name=\"filename\"; filename=\"a.txt\"\r\n\r\nbob\r\nann\r\n"
        for (body, content) in [(file, "bob\r\nann\r\n"), (Self.part() + file, "bob\r\nann\r\n")] {
            let form = try MultipartForm(Array(body.utf8), contentType: Self.type, isWhole: true)
            #expect(form["filename"]?.content.elementsEqual(content.utf8) == true)
        }
        for cut in ["", "--b", "preamble\r\n", "--b\r\nContent-Disposition: form-data; name=\"n\"\r\n"] {
            #expect(throws: MultipartProblem.self) {
                try MultipartForm(Array(cut.utf8), contentType: Self.type, isWhole: true)
            }
        }
    }

    @Test("Every beginning of a form is refused, and none is read beyond its end")
    func beginnings() throws {
        let body = Array((Self.part() + Self.part("form-data; name=\"f\"; filename=\"a\"") + "--b--").utf8)
        for count in 0..<body.count {
            #expect(throws: MultipartProblem.self) {
                try MultipartForm(Array(body[..<count]), contentType: Self.type)
            }
        }
    }
}
