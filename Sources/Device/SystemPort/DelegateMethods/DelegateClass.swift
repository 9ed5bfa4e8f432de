import CSymbols
import Glibc

/// The methods of a class, and the requirements of the delegate protocols to which it conforms.
struct DelegateClass {
    /// With its module.
    var name: String
    /// The methods that the class itself declares.
    var methods: [MethodSignature] = []
    /// The requirements of the protocols to which the class itself declares its conformance.
    var requirements: [Requirement] = []

    /// The name without the module, and without what distinguishes a private class from others of its name.
    var shortName: String {
        name.split(separator: ".").dropFirst().map { part in
            part.hasPrefix("(") ? part.dropFirst().prefix { $0 != " " } : part
        }
        .joined(separator: ".")
    }

    /// A requirement of a protocol, whose name is with its module.
    struct Requirement {
        var owner: String
        var method: MethodSignature
    }

    /// - Returns: the class and those that it derives from, up to the first of a framework.
    static func chain(of type: AnyClass) -> [DelegateClass] {
        var chain: [DelegateClass] = []
        var next: AnyClass? = type
        while let type = next, !isFramework(type), let symbols = ClassSymbols(of: type) {
            chain.append(DelegateClass(symbols))
            next = _getSuperclass(type)
        }
        return chain
    }

    private init(_ symbols: ClassSymbols) {
        name = symbols.name
        for symbol in symbols.symbols {
            if let requirement = Self.requirement(symbol) {
                requirements.append(requirement)
            } else if let method = Self.method(symbol, of: symbols.name) {
                methods.append(method)
            }
        }
    }

    private static func method(_ symbol: String, of name: String) -> MethodSignature? {
        var text = Substring(symbol)
        // Of an extension in another module.
        if text.hasPrefix("(extension in "), let end = text.firstIndex(of: ":") { text = text[end...].dropFirst() }
        guard text.hasPrefix("\(name).") else { return nil }
        return MethodSignature(text.dropFirst(name.count + 1))
    }

    /// Reads such as `protocol witness for UIKit.UISceneDelegate.sceneDidBecomeActive(UIKit.UIScene) -> () in conformance …`.
    private static func requirement(_ symbol: String) -> Requirement? {
        let start = "protocol witness for "
        guard symbol.hasPrefix(start), let end = symbol.firstRange(of: " in conformance ") else { return nil }
        let text = symbol[..<end.lowerBound].dropFirst(start.count)
        guard let name = text.prefix(while: { $0 != "(" }).lastIndex(of: "."),
            let method = MethodSignature(text[name...].dropFirst())
        else { return nil }
        return Requirement(owner: String(text[..<name]), method: method)
    }

    private static let frameworks: Set<Substring> = [
        "Foundation", "UIKit", "UserNotifications", "UserNotificationsUI", "CoreLocation", "JPush",
    ]

    /// Whether the class is of a framework, whose methods are no app's.
    private static func isFramework(_ type: AnyClass) -> Bool {
        frameworks.contains(String(reflecting: type).prefix { $0 != "." })
    }
}

/// The symbols of one class, demangled: its methods, and its conformances' entries.
struct ClassSymbols {
    /// The class's name with its module, such as `Shop.AppDelegate`.
    var name: String
    /// Demangled names, such as `Shop.AppDelegate.applicationDidBecomeActive(UIKit.UIApplication) -> ()`.
    var symbols: [String]

    /// Reads them; nil if the program has no symbols (they were stripped), and for a generic class.
    init?(of type: AnyClass) {
        let address = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
        var place = unsafe code_place()
        guard unsafe find_place(address, &place) != 0, let base = unsafe place.base, let file = unsafe place.file,
            let mapped = unsafe Self.map(file), let table = SymbolTable(mapped),
            let metadata = unsafe table.names(ofAddress: address - UnsafeRawPointer(base)).first(where: Self.isClass)
        else { return nil }
        let prefix = String(metadata.dropLast())
        guard let name = Self.demangle(prefix) else { return nil }
        self.name = name
        symbols = table.names(beginningWith: prefix).filter(Self.isMethod).compactMap(Self.demangle)
    }

    /// The program itself has the name by which it was started, which need not be a path.
    private static func map(_ file: UnsafePointer<CChar>) -> MappedFile? {
        if unsafe file.pointee != CChar(bitPattern: UInt8(ascii: "/")) {
            return unsafe MappedFile(path: "/proc/self/exe")
        }
        return unsafe MappedFile(path: file)
    }

    /// The symbol of a class's metadata.
    private static func isClass(_ symbol: String) -> Bool { symbol.hasPrefix("$s") && symbol.hasSuffix("CN") }

    /// The symbol of a function, or of a conformance's entry.
    private static func isMethod(_ symbol: String) -> Bool { symbol.hasSuffix("F") || symbol.hasSuffix("FTW") }

    private static func demangle(_ symbol: String) -> String? {
        guard let text = unsafe swift_demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
