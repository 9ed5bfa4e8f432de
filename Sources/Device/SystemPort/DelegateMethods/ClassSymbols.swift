import CSymbols
import Glibc

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
