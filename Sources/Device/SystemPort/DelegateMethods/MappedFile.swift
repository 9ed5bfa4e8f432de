import CSymbols
import Glibc

/// A file in memory, only for reading.
@safe
struct MappedFile: ~Copyable {
    private let bytes: UnsafeRawBufferPointer

    /// Maps a file; nil if it cannot be read, or is empty.
    init?(path: UnsafePointer<CChar>) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_size > 0 else { return nil }
        let length = Int(facts.st_size)
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
