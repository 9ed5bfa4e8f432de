import CallbackMatrix
import Foundation
import TestSupport
import Testing

/// Compares the column `explained_in` of the callback matrix with the guide.
@Suite("Callback matrix: the section that explains each row")
struct MatrixSourceTests {
    /// A page of the guide, as its sections of the second level, in order.
    private struct Page {
        var sections: [(anchor: String, text: String)] = []

        init(_ name: String, in language: String?) throws {
            let path = language.map { "\($0)/\(name)" } ?? name
            let text = try ProjectFolder.text(of: "Documentation/Guide/\(path)")
            var isCode = false
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("```") { isCode.toggle() }
                if !isCode, line.hasPrefix("## ") {
                    sections.append((Self.anchor(of: line.dropFirst(3)), ""))
                } else if !sections.isEmpty {
                    sections[sections.count - 1].text += line + "\n"
                }
            }
        }

        /// Returns the anchor by which a page of Markdown links to a heading.
        private static func anchor(of heading: Substring) -> String {
            String(
                heading.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil }
            )
        }
    }

    /// By name, the pages of which rows name a section.
    private static let pages = {
        let names = MatrixLine.all.compactMap { $0["explained_in"].split(separator: "#").first.map(String.init) }
        return Dictionary(
            uniqueKeysWithValues: Set(names).map { name in
                (name, Result { (try Page(name, in: nil), try Page(name, in: "zh-Hans")) })
            }
        )
    }()

    /// Returns the words of which a section has to contain one in each group, to explain a row.
    private static func words(for line: MatrixLine) -> [[String]] {
        let callbacks = line["notification_callbacks"].components(separatedBy: " > ").map { callback -> [String] in
            switch callback {
            case let name where name.contains("fetchCompletionHandler"): ["fetch"]
            case let name where name.contains("willPresent"): ["willPresent"]
            case let name where name.contains("withContentHandler"): ["didReceive(_:withContentHandler:)"]
            case let name where name.contains("serviceExtensionTimeWillExpire"): ["serviceExtensionTimeWillExpire"]
            case let name where name.contains("didReceive:withCompletionHandler"): ["didReceive"]
            case let name where name.contains("forRemoteNotification"):
                ["handleActionWithIdentifier:forRemoteNotification"]
            case let name where name.contains("handleActionWithIdentifier"): ["handleActionWithIdentifier:for:"]
            case let name where name.contains("application(_:didReceive:)"): ["application(_:didReceive:)"]
            case let name where name.contains("performActionFor"): ["performActionFor"]
            case let name where name.contains("openURLContexts"): ["openURLContexts"]
            case let name where name.contains("application(_:open:"): ["application(_:open:options:)"]
            case let name where name.contains("willConnectTo"): ["connectionOptions"]
            case let name where name.contains("didFinishLaunchingWithOptions"):
                ["launch", "didFinishLaunchingWithOptions", "启动"]
            default: ["nothing", "no callback", "not run", "not called", "dismiss", "不回调", "不显示", "不执行", "不会显示"]
            }
        }
        // Without a delegate of the notification centre the methods of iOS 9 are called, which another section names.
        return line["un_delegate"] == "nil" ? [["delegate"], ["iOS 9"]] : callbacks
    }

    @Test(
        "The section exists in both languages, and names each callback of the row",
        arguments: MatrixLine.all.map { $0["id"] }
    )
    func section(_ id: String) throws {
        let line = try #require(MatrixLine.all.first { $0["id"] == id })
        let parts = line["explained_in"].split(separator: "#").map(String.init)
        try #require(
            parts.count == 2,
            "\(id): explained_in is '\(line["explained_in"])'; expected a page, # and a section."
        )
        let (english, chinese) = try #require(Self.pages[parts[0]]).get()
        #expect(english.sections.count == chinese.sections.count, "\(parts[0]) has other sections in Chinese.")
        let place = try #require(
            english.sections.firstIndex { $0.anchor == parts[1] },
            "\(parts[0]) has no section '\(parts[1])', but \(english.sections.map(\.anchor))."
        )
        for (language, page) in [("English", english), ("Chinese", chinese)] {
            let text = page.sections[place].text
            for words in Self.words(for: line) {
                let isNamed = words.contains { text.contains($0) }
                #expect(isNamed, "\(id): \(line["explained_in"]) in \(language) says nothing of \(words[0]).")
            }
        }
    }

    @Test("A case carries the section of its row")
    func carried() {
        for row in MatrixCase.all(iOS: 17) + MatrixCase.all(iOS: 8) {
            #expect(row.explainedIn == MatrixLine.all.first { $0["id"] == row.id }?["explained_in"], "\(row.id)")
        }
    }
}
