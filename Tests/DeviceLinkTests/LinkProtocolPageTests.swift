import DeviceLink
import Foundation
import PushModel
import TestSupport
import Testing

/// Tests that `Documentation/LinkProtocol.md`, from which others write clients, says what the code does.
@Suite("The page on the SDK link")
struct LinkProtocolPageTests {
    @Test("Has a section for every type of frame, and for no other")
    func types() throws {
        let code = try ProjectFolder.text(of: "Sources/Link/DeviceLink/SDK/SDKFrame+JSON.swift")
        let read = Set(code.matches(of: #/case "([a-z-]+)":/#).map { String($0.1) })
        let page = try ProjectFolder.text(of: "Documentation/LinkProtocol.md")
        let described = Set(page.matches(of: #/\n### `([a-z-]+)`\n/#).map { String($0.1) })
        #expect(read.count > 20)
        #expect(read.sorted() == described.sorted())
    }

    @Test("Its examples are frames with all their members, as the code writes them")
    func examples() throws {
        let lines = try ProjectFolder.text(of: "Documentation/LinkProtocol.md").split(separator: "\n")
            .map { $0.drop { "→← ".contains($0) } }.filter { $0.hasPrefix("{\"type\"") }
        var types: Set<String> = []
        for line in lines {
            let frame = try SDKFrame(text: String(line))
            let written = try JSONValue(parsing: frame.text).object
            let read = try JSONValue(parsing: String(line)).object
            #expect(Set(written?.members.map(\.key) ?? []) == Set(read?.members.map(\.key) ?? []), "\(line)")
            #expect(try SDKFrame(text: frame.text) == frame)
            if let type = read?["type"]?.string { types.insert(type) }
        }
        #expect(types.count > 20, "Each type has one.")
    }
}
