import Foundation
import PushModel
import Testing

/// The findings of the fuzz targets of Fuzzing/, each with its input.
@Suite("Fuzzing: what it found in the model")
struct FuzzFindingTests {
    private func profile(created: String = "2026-01-01", version: some Sequence<UInt8> = "1".utf8) -> Data {
        let start = """
            <plist><dict><key>Name</key><string>Example</string>
            <key>UUID</key><string>5BD2C1B8-6A3A-4B3A-8A52-3D1C1B2C3D4E</string>
            <key>Entitlements</key><dict><key>application-identifier</key><string>ABCDE12345.com.example.app</string></dict>
            <key>CreationDate</key><date>\(created)T00:00:00Z</date>
            <key>ExpirationDate</key><date>2027-01-01T00:00:00Z</date><key>Version</key><integer>
            """
        return Data(start.utf8) + Data(version) + Data("</integer></dict></plist>".utf8)
    }

    /// Foundation's decoder took years of any length, and wrote them as others.
    @Test(
        "A profile with a date beyond the calendar is refused",
        arguments: ["99999-01-01", "999999999-01-01", "0000-01-01", "-0001-01-01"]
    )
    func datesBeyondTheCalendar(_ date: String) throws {
        let error = #expect(throws: ProvisioningProfile.Unreadable.self) {
            try ProvisioningProfile(file: profile(created: date))
        }
        #expect(error?.description == "'CreationDate' is not a date in the years 1 to 9999.")
    }

    /// Foundation's decoder ended the process, and with it the command that was given the file.
    @Test("A profile whose version is not UTF-8 is read for the rest of it")
    func versionOfOtherOctets() throws {
        let profile = try ProvisioningProfile(file: profile(version: [0xFF, 0, 0, 0, 0, 0, 0, 0x30]))
        #expect(profile.bundleID == "com.example.app")
    }

    /// Foundation's decoder ended the process here too. A date that was no number also came from such a file, and was neither
    /// before nor after any other.
    @Test("A binary property list is refused unread, also a damaged one")
    func binaryPropertyList() throws {
        let damaged =
            "YnBsaXN0MDDZAQIDBAUGBwgJCgsNFBUWGBobXENyZWF0aW9uRGF0ZV8QFURldmVsb3BlckNlcnRpZmljYXRlc1xFbnRpdGxl"
            + "bWVudHNeRXhwaXJhdGlvbkRhdGVUTmVuY28Q91Byb3Zpc2lvZGVuRGV2aWNlc15cZWFtSWRlbnRpZmllclRVVUlEV1ZlcnNp"
            + "b240QceC+EAAAAChDEMAAQLTDg8QERITXxAWYXBwbGljYXRpb24taWRlbnRpZmllcl8QH2FoeWV7g1UAABhSGfDpfwAASBMw"
            + "8el/AADYeBrw6X8AAEFCQ0RFMTIuNTQzY29tLmV4YW1wAQAAAH////9lbG9wbWVudAkzQchzkgAAAABaVGVhbSAmIGFwcKEX"
            + "XxAZMDAwMDgwMzAtMDAwMDAwMDAwMDAwMDAxRaEZWkFCQ0RFMTIzNDVfECQ1QkQyQzFCOC02QTNBLTRCM0EtOEE1Mi0zRDFD"
            + "MUIyQzNENEUQAQAIABsAKABAAE0AXABhAHYAhQCKAJIAmwCdAKEAqADBANMA4gD9AQkBCgETAR4BIAE8AT4BSQFwAAAAAAAA"
            + "AgEAAAAAAAAAHAAAAAAAAAAAAAAAAAAAAXI="
        let file = try #require(Data(base64Encoded: damaged))
        for file in [file, Data("bplist00".utf8), Data("{ Name = a; }".utf8), Data()] {
            let error = #expect(throws: ProvisioningProfile.Unreadable.self) { try ProvisioningProfile(file: file) }
            #expect(error?.description.contains("no property list in XML") == true)
        }
    }

    /// The reader said that it had read one octet more than there are.
    @Test("A carriage return ends a file of comma-separated values", arguments: ["a,\"b\"\r", "a,\"b\"\r\n", "\"\"\r"])
    func carriageReturnAtTheEnd(_ text: String) {
        var reader = CSVReader()
        reader.add(text.utf8)
        let row = reader.next(isEnd: true)
        #expect(row?.problem == nil && row?.fields.last == (text.hasPrefix("a") ? "b" : ""))
        let nothing = reader.next(isEnd: true)
        #expect(nothing == nil)
        #expect(reader.offset == text.utf8.count && reader.line == 2)
    }

    /// A quote and the mark after it are one Character, which was not escaped as a quote.
    @Test("A CSV field with a quote before a combining mark is read as it was written")
    func quoteBeforeCombiningMark() {
        let field = "a\"\u{732}gss"
        var reader = CSVReader()
        reader.add(Array("x,\(CSVReader.field(field))\n".utf8))
        #expect(reader.next(isEnd: true)?.fields == ["x", field])
    }
}
