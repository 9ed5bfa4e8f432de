import CSymbols
import Glibc

/// The symbols of a program or a library: the names that compilers and linkers gave its parts, and their addresses.
///
/// Source: System V ABI, "Object Files": section header table, symbol table, string table.
struct SymbolTable: ~Copyable {
    private static let symbolSize = 24
    private static let kinds = (all: 2, exported: 11)

    private let file: MappedFile
    /// The file's part with the symbols, 24 bytes each.
    private let symbols: Range<Int>
    /// The file's part with their names, each of which ends with a zero.
    private let names: Range<Int>

    /// Reads a 64-bit ELF file; nil for another file, and for one without symbols.
    init?(_ file: consuming MappedFile) {
        guard let table = Self.section(Self.kinds.all, of: file) ?? Self.section(Self.kinds.exported, of: file),
            let names = Self.section(number: table.link, of: file)
        else { return nil }
        self.file = file
        symbols = table.range
        self.names = names.range
    }

    /// - Returns: the names of the symbols with this address.
    func names(ofAddress address: Int) -> [String] {
        let wanted = unsafe withUnsafeBytes(of: UInt64(address).littleEndian) { unsafe Array($0) }
        var found: [String] = []
        var rest = symbols
        while let place = file.find(wanted, in: rest) {
            rest = place + 1..<symbols.upperBound
            let start = place - 8
            guard (start - symbols.lowerBound) % Self.symbolSize == 0,
                let name = file.number(at: start, as: UInt32.self), let text = file.text(at: names.lowerBound + name)
            else { continue }
            found.append(text)
        }
        return found
    }

    /// - Returns: the names that begin so.
    func names(beginningWith prefix: String) -> [String] {
        let wanted = [0] + Array(prefix.utf8)
        var found: [String] = []
        var rest = names
        while let place = file.find(wanted, in: rest), let text = file.text(at: place + 1) {
            found.append(text)
            rest = place + wanted.count..<names.upperBound
        }
        return found
    }

    private struct Section {
        var kind: Int
        var range: Range<Int>
        var link: Int
    }

    private static func section(_ kind: Int, of file: borrowing MappedFile) -> Section? {
        guard let count = file.number(at: 60, as: UInt16.self) else { return nil }
        for number in 0..<count {
            if let section = section(number: number, of: file), section.kind == kind { return section }
        }
        return nil
    }

    private static func section(number: Int, of file: borrowing MappedFile) -> Section? {
        // "\u{7f}ELF", 64 bits, least significant byte first.
        guard file.number(at: 0, as: UInt32.self) == 0x464c_457f, file.number(at: 4, as: UInt16.self) == 0x0102,
            let headers = file.number(at: 40, as: UInt64.self), let size = file.number(at: 58, as: UInt16.self),
            headers < file.count
        else { return nil }
        let header = headers + number * size
        guard let kind = file.number(at: header + 4, as: UInt32.self),
            let start = file.number(at: header + 24, as: UInt64.self),
            let length = file.number(at: header + 32, as: UInt64.self),
            let link = file.number(at: header + 40, as: UInt32.self),
            start <= file.count, length <= file.count - start
        else { return nil }
        return Section(kind: kind, range: start..<start + length, link: link)
    }
}

/// A file in memory, only for reading.
@safe
struct MappedFile: ~Copyable {
    private let bytes: UnsafeRawBufferPointer

    /// Maps a file; nil if it cannot be read, or is empty.
    init?(path: UnsafePointer<CChar>) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let length = lseek(descriptor, 0, SEEK_END)
        guard length > 0 else { return nil }
        guard let start = unsafe mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0), unsafe start != MAP_FAILED
        else { return nil }
        unsafe bytes = UnsafeRawBufferPointer(start: start, count: length)
    }

    deinit { _ = unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    var count: Int { unsafe bytes.count }

    /// - Returns: the number at the offset, in the machine's byte order; nil outside of the file.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Int? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        return Int(exactly: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// - Returns: the bytes from the offset up to the next zero.
    func text(at offset: Int) -> String? {
        guard offset >= 0, offset < count, let base = unsafe bytes.baseAddress else { return nil }
        let length = unsafe strnlen((base + offset).assumingMemoryBound(to: CChar.self), count - offset)
        return unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]), as: UTF8.self)
    }

    /// - Returns: the offset of the first such bytes in a part of the file.
    func find(_ wanted: [UInt8], in part: Range<Int>) -> Int? {
        guard part.lowerBound >= 0, part.upperBound <= count, let base = unsafe bytes.baseAddress else { return nil }
        let found = unsafe find_bytes(base + part.lowerBound, part.count, wanted, wanted.count)
        return unsafe found.map { unsafe $0 - base }
    }
}
