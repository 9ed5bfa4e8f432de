import Foundation
import Testing

/// The compiler asks for the work of a new `DeviceOrder` (`OrderPerformer`), and for nothing by which a person gives the order.
@Suite("Orders to the emulated phone")
struct DeviceOrderWordsTests {
    private static let orders = "Sources/App/PosthornStack/DeviceControl/DeviceOrder.swift"
    private static let folder = "Sources/App/posthorn/Device/"
    private static let page = "Sources/App/CPortalFiles/Scripts/phone-view.js"
    private static let tools = "Sources/App/CTools/tools.json"
    /// The enumerations of orders, and the files whose commands make them.
    private static let files = [
        "DeviceOrder": ["DeviceOrders.swift", "OrderArgument.swift", "CallCommand.swift"],
        "CallOrder": ["CallCommand.swift"], "ActivityOrder": ["CallCommand.swift"],
    ]

    private static func cases(of type: String) throws -> [String] {
        let text = try #require(SourceTree.text(of: orders))
        let start = try #require(text.range(of: "package enum \(type):")?.upperBound)
        let end = try #require(text.range(of: "\n}\n", range: start..<text.endIndex)?.lowerBound)
        return text[start..<end].matches(of: #/\n    case (\w+)/#).map { String($0.1) }
    }

    @Test("Each order has a command or a button on the phone page", arguments: files.keys.sorted())
    func everyOrder(type: String) throws {
        let cases = try Self.cases(of: type)
        try #require(cases.count > 3, "\(cases)")
        let code = (Self.files[type] ?? []).compactMap { SourceTree.text(of: Self.folder + $0) }.joined()
        let page = try #require(SourceTree.text(of: Self.page))
        for name in cases {
            let isSent = try code.contains(Regex("\\.\(name)\\b")) || page.contains("{ \(name): ")
            #expect(isSent, "no command of 'posthorn device' and no button sends \(type).\(name)")
        }
    }

    /// The words of `posthorn device` that name an order alone; groups of commands have words of their own.
    private static func words() throws -> Set<String> {
        let text = try #require(SourceTree.text(of: folder + "DeviceOrders.swift"))
        let rows = text.matches(of: #/(?:OrderForm|OrderForm\.notification|OrderTitle)\(\s*"([a-z-]+)"/#)
            .map { String($0.1) }
        let others = text.matches(of: #/commandName: "([a-z-]+)"/#).map { String($0.1) }
        // Of the groups, assistants have the calls.
        return Set(rows + others).subtracting(["local", "add"]).union(["call"])
    }

    @Test("Assistants know the words of all commands")
    func tool() throws {
        let text = try #require(SourceTree.text(of: Self.tools))
        let line = try #require(text.split(separator: "\n").first { $0.contains("as in 'posthorn device ORDER'") })
        let list = try #require(line.range(of: #""enum": ["#)?.upperBound)
        let offered = Set(line[list...].matches(of: #/"([a-z-]+)"/#).map { String($0.1) })
        #expect(offered == (try Self.words()))
        #expect(text.contains("for storefront the three capital letters of a country"))
    }
}
