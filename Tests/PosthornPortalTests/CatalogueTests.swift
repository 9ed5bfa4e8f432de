import Foundation
import PushModel
import PushService
import TestSupport
import Testing

@testable import PosthornPortal

@Suite("The texts of the portal")
struct CatalogueTests {
    private static let files = PortalFiles.embedded

    /// The sections with their keys and texts.
    private static func texts(_ language: Language) throws -> [String: [String: String]] {
        let sections = try Catalogue(language, from: files).sections
        return try Dictionary(
            uniqueKeysWithValues: sections.members.map { section in
                let texts = try #require(section.value.object, "\(section.key) is not an object.")
                return (
                    section.key,
                    try Dictionary(
                        uniqueKeysWithValues: texts.members.map {
                            ($0.key, try #require($0.value.string, "\(section.key).\($0.key) is not a string."))
                        }
                    )
                )
            }
        )
    }

    @Test("Each language has each text, none of them is empty, and all name the same values")
    func complete() throws {
        let english = try Self.texts(.english)
        let chinese = try Self.texts(.simplifiedChinese)
        #expect(english.keys.sorted() == chinese.keys.sorted())
        #expect(english.count >= 3)
        for (section, texts) in english {
            // The verdicts in English are sentences of the service and the gateway.
            let others = (chinese[section] ?? [:]).filter {
                section != "why" || !$0.key.hasPrefix("about_") && !$0.key.hasPrefix("standing_")
            }
            #expect(texts.keys.sorted() == others.keys.sorted(), "Section \(section) has gaps.")
            for (key, text) in texts {
                let other = others[key] ?? ""
                #expect(!text.isEmpty && !other.isEmpty, "\(section).\(key) is empty.")
                #expect(Self.values(text) == Self.values(other), "\(section).\(key) names other values.")
            }
        }
    }

    private static func values(_ text: String) -> Set<String> {
        // The details of an error are in English, so Chinese may leave them out.
        Set(text.matches(of: #/\{\w+\}/#).map { String($0.0) }).subtracting(["{detail}"])
    }

    /// The sources of the portal, in which pages ask for texts by section and key.
    private static func pages() throws -> [String] {
        let folder = "Sources/App/PosthornPortal"
        return try ProjectFolder.names(in: folder).map { try ProjectFolder.text(of: "\(folder)/\($0)") }
    }

    @Test("Chinese texts have full-width punctuation")
    func punctuation() throws {
        for section in try Catalogue(.simplifiedChinese, from: .embedded).sections.members {
            for text in section.value.object?.members ?? [] {
                // A call in the code of an app keeps its brackets.
                let words = (text.value.string ?? "").replacing(#/\w+\([^)]*\)\)?|“[^”]*”/#) { _ in "" }
                let mark = words.firstMatch(of: #/[\u{4E00}-\u{9FFF}]\s*[:;,()]|[:;,()]\s*[\u{4E00}-\u{9FFF}]/#)
                #expect(mark == nil, "\(section.key).\(text.key): \(words)")
            }
        }
    }

    @Test("Each text that a page asks for is in the catalogue; of a key with a value in it, one begins so")
    func askedByPages() throws {
        // Verdicts are the service's sentences in English, and texts in Chinese alone.
        let texts = try Self.texts(.simplifiedChinese)
        let asked = try Self.pages().flatMap { source in
            source.matches(of: #/\b(?:texts\[|texts\.text\()"(\w+)", "(\w+)(\\\(|")/#).map { ($0.1, $0.2, $0.3) }
        }
        for (section, key, end) in asked {
            let keys = try #require(texts[String(section)], "A page asks for the section \(section).").keys
            let isThere = end == "\"" ? keys.contains(String(key)) : keys.contains { $0.hasPrefix(key) }
            #expect(isThere, "A page asks for \(section).\(key).")
        }
        #expect(asked.count > 50, "Texts are found.")
    }

    @Test("Each text that a template or a script asks for is in the catalogue")
    func asked() throws {
        let texts = try Self.texts(.english)
        var asked = 0
        for (path, bytes) in Self.files.contents {
            let source = String(decoding: bytes, as: UTF8.self)
            var names: [(Substring, Substring)] = []
            if path.hasPrefix("Pages/") {
                names = source.matches(of: #/\{\{[#^]?t\.(\w+)\.(\w+)\}\}/#).map { ($0.1, $0.2) }
            }
            if path.hasPrefix("Scripts/") {
                names = source.matches(of: #/\btext\("(\w+)", "(\w+)"/#).map { ($0.1, $0.2) }
            }
            asked += names.count
            for (section, key) in names {
                #expect(texts[String(section)]?[String(key)] != nil, "\(path) asks for \(section).\(key).")
            }
        }
        #expect(asked > 50, "Texts are found.")
    }

    @Test("A script loads the sections whose texts it shows; every page has those of portal.js")
    func loaded() throws {
        func loaded(_ source: String) -> Set<Substring> {
            let lists = source.matches(of: #/loadTexts\(("\w+"(?:, "\w+")*)\)/#).map(\.1)
            return Set(lists.flatMap { $0.matches(of: #/\w+/#).map(\.output) })
        }
        let shared = try loaded(String(decoding: #require(Self.files.contents["Scripts/portal.js"]), as: UTF8.self))
        #expect(shared.contains("layout"))
        for (path, bytes) in Self.files.contents where path.hasPrefix("Scripts/") {
            let source = String(decoding: bytes, as: UTF8.self)
            let shown = Set(source.matches(of: #/\btext\("(\w+)",/#).map(\.1))
            let missing = shown.subtracting(shared).subtracting(loaded(source))
            #expect(missing.isEmpty, "\(path) does not load \(missing.sorted()).")
        }
    }

    @Test(
        "The language is the first that the browser wants and the portal has",
        arguments: [
            (nil, Language.english), ("zh-CN,zh;q=0.9,en;q=0.8", .simplifiedChinese), ("fr, de;q=0.9", .english),
            ("en-GB;q=0.5, zh-TW", .simplifiedChinese), ("en, zh", .english), ("zh;q=0.1, en;q=0.9", .english),
        ]
    )
    func wanted(_ header: String?, _ language: Language) { #expect(Language(accepting: header) == language) }

    @Test("All files of the folder are in the binary")
    func embedded() throws {
        let folder = "Sources/App/CPortalFiles"
        let wanted = try ProjectFolder.names(in: folder, ending: ["mustache", "js", "css", "json"])
        #expect(wanted == Self.files.contents.keys.sorted(), "Run Scripts/portal-files.py.")
        for name in wanted {
            let data = try Data(contentsOf: ProjectFolder.url.appending(path: "\(folder)/\(name)"))
            #expect(data == Data(Self.files.contents[name] ?? []), "\(name)")
        }
    }
}
