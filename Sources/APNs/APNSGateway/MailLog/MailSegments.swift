import AppleDeveloper
import Foundation
import PushModel

/// The system's `open`, whose name a member here shadows.
private func openFile(_ path: String, flags: Int32, mode: mode_t = 0) -> Int32 { unsafe open(path, flags, mode) }

/// The files of a mail log: numbered segments, of which only the newest is written to.
///
/// A segment is a heading line, then frames: the length of the content and its ``XXH64`` in eight octets each, big-endian,
/// then the content. A frame is written and synced before anybody is notified that it is on disk, so an incomplete frame at
/// the end was promised to nobody.
struct MailSegments: ~Copyable {
    /// The reason why a log cannot be read or written.
    typealias Problem = PrivateFile.Problem

    private static let heading = Array("Posthorn mail log 1\n".utf8)
    private static let frameHeading = 16

    private let folder: URL
    private var number: Int
    private var descriptor: Int32
    /// The size of the newest segment, as far as it is known to be complete.
    private(set) var size: Int
    /// The number of octets at the end that were no complete frame and were cut off when the log was opened.
    let cutOff: Int

    /// Reads the existing segments, and opens the newest for writing; creates the folder and a segment if there is none.
    ///
    /// `read` is called with the content of each frame, oldest first; throws if it is invalid.
    /// - Throws: ``Problem`` if a file cannot be read or written, or is damaged elsewhere than at its end.
    init(folder: String, read: ([UInt8]) throws -> Void) throws {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory)
        try PrivateFile.makeFolder(folder)
        let numbers = try Self.numbers(in: self.folder)
        var lastSize = 0
        var lastLoss = 0
        for number in numbers {
            let path = Self.path(number, self.folder)
            let isLast = number == numbers.last
            (lastSize, lastLoss) = try Self.read(path, isLast: isLast, read)
        }
        let number = numbers.last ?? 1
        let path = Self.path(number, self.folder)
        let descriptor = try Self.open(path, cutTo: lastLoss > 0 ? lastSize : nil)
        do {
            if lastSize == 0 { lastSize = try Self.begin(descriptor, path) }
            try Self.sync(self.folder)
        } catch {
            close(descriptor)
            throw error
        }
        self.number = number
        self.descriptor = descriptor
        size = lastSize
        cutOff = lastLoss
    }

    deinit { close(descriptor) }

    /// Appends one frame, which is on disk when this returns. After an error the frame does not count, and can be retried.
    ///
    /// - Throws: ``Problem`` with the system's error: a full disk, for example.
    mutating func append(_ content: Span<UInt8>) throws(Problem) {
        var heading: [UInt8] = []
        for word in [UInt64(content.count), XXH64.hash(content)] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                heading.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        let path = Self.path(number, folder)
        do throws(Problem) {
            try Self.write(heading.span, at: size, to: descriptor, path: path)
            try Self.write(content, at: size + heading.count, to: descriptor, path: path)
            guard fdatasync(descriptor) == 0 else { throw Problem(path, "synced") }
        } catch {
            // The partial frame is overwritten next time, and is not a complete frame until then.
            ftruncate(descriptor, off_t(size))
            throw error
        }
        size += heading.count + content.count
    }

    /// Begins a new segment; older ones stay until ``removeOlder()``.
    mutating func beginNext() throws(Problem) {
        let path = Self.path(number + 1, folder)
        // A segment with this number was created but never written to.
        let next = try Self.open(path, cutTo: 0)
        let start: Int
        do throws(Problem) {
            start = try Self.begin(next, path)
            try Self.sync(folder)
        } catch {
            close(next)
            throw error
        }
        close(descriptor)
        descriptor = next
        number = number + 1
        size = start
    }

    /// Removes all segments but the newest.
    func removeOlder() throws(Problem) {
        for number in try Self.numbers(in: folder) where number != self.number {
            let path = Self.path(number, folder)
            guard unsafe unlink(path) == 0 else { throw Problem(path, "removed") }
        }
        try Self.sync(folder)
    }

    /// - Returns: the offset of the first frame.
    private static func begin(_ descriptor: Int32, _ path: String) throws(Problem) -> Int {
        try write(heading.span, at: 0, to: descriptor, path: path)
        return heading.count
    }

    private static func write(_ bytes: Span<UInt8>, at index: Int, to descriptor: Int32, path: String) throws(Problem) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.extracting(droppingFirst: done).withUnsafeBytes { rest in
                unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(index + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Problem(path, "written") }
            done += count
        }
    }

    // MARK: - Files

    private static func numbers(in folder: URL) throws(Problem) -> [Int] {
        let path = folder.path(percentEncoded: false)
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw Problem(description: "'\(path)' cannot be read: \(error.localizedDescription)")
        }
        return names.filter { $0.hasSuffix(".log") }.compactMap { Int($0.dropLast(4)) }.sorted()
    }

    private static func path(_ number: Int, _ folder: URL) -> String {
        let digits = String(number)
        let name = String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".log"
        return folder.appending(path: name).path(percentEncoded: false)
    }

    private static func open(_ path: String, cutTo size: Int?) throws(Problem) -> Int32 {
        let descriptor = openFile(path, flags: O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o600)
        guard descriptor >= 0 else { throw Problem(path, "opened") }
        if let size, ftruncate(descriptor, off_t(size)) != 0 {
            defer { close(descriptor) }
            throw Problem(path, "written")
        }
        return descriptor
    }

    /// Syncs the folder: a new file name is on disk only once its folder is.
    private static func sync(_ folder: URL) throws(Problem) {
        let path = folder.path(percentEncoded: false)
        let descriptor = openFile(path, flags: O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem(path, "opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Problem(path, "synced") }
    }

    /// - Returns: the length of the complete part, and the octets after it.
    private static func read(
        _ path: String,
        isLast: Bool,
        _ body: ([UInt8]) throws -> Void
    ) throws -> (whole: Int, rest: Int) {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        let end = Int(try file.seekToEnd())
        guard end > 0 else { return (0, 0) }
        try file.seek(toOffset: 0)
        func next(_ count: Int) throws -> [UInt8]? {
            let data = try file.read(upToCount: count) ?? Data()
            return data.count == count ? Array(data) : nil
        }
        var whole = 0
        if let start = try next(heading.count) {
            guard start == heading else {
                throw Problem(description: "'\(path)' is not a mail log, or one of another version of Posthorn.")
            }
            whole = heading.count
            while let (content, size) = try frame(after: whole, end, next) {
                do { try body(content) } catch {
                    throw Problem(
                        description: "'\(path)' has a frame at octet \(whole) that is invalid: \(error). Start the "
                            + "version of Posthorn that wrote it, or move the file away and lose what waits."
                    )
                }
                whole += size
            }
        }
        guard whole == end || isLast else {
            throw Problem(
                description:
                    "'\(path)' is damaged at octet \(whole) of \(end). Restore it from a backup, or move it away "
                    + "and lose a part of what waits."
            )
        }
        return (whole, end - whole)
    }

    private static func frame(
        after start: Int,
        _ end: Int,
        _ next: (Int) throws -> [UInt8]?
    ) throws -> (content: [UInt8], size: Int)? {
        guard end - start >= frameHeading, let head = try next(frameHeading) else { return nil }
        let length = head.span.bigEndian64(at: 0)
        let sum = head.span.bigEndian64(at: 8)
        guard length <= UInt64(end - start - frameHeading), let content = try next(Int(length)),
            XXH64.hash(content.span) == sum
        else { return nil }
        return (content, frameHeading + content.count)
    }
}

/// The checksum XXH64 with seed 0, as its specification describes it (xxHash fast digest algorithm, version 0.1.1).
///
/// Not a cryptographic checksum: it detects frames that were not written completely.
enum XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var offset = 0
        var sum: UInt64
        if bytes.count >= 32 {
            var lanes = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
            while offset <= bytes.count - 32 {
                lanes.0 = round(lanes.0, bytes.littleEndian64(at: offset))
                lanes.1 = round(lanes.1, bytes.littleEndian64(at: offset + 8))
                lanes.2 = round(lanes.2, bytes.littleEndian64(at: offset + 16))
                lanes.3 = round(lanes.3, bytes.littleEndian64(at: offset + 24))
                offset += 32
            }
            sum = rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
            sum = merge(merge(merge(merge(sum, lanes.0), lanes.1), lanes.2), lanes.3)
        } else {
            sum = prime5
        }
        sum = finish(sum &+ UInt64(bytes.count), bytes, from: offset)
        sum = (sum ^ sum >> 33) &* prime2
        sum = (sum ^ sum >> 29) &* prime3
        return sum ^ sum >> 32
    }

    /// Processes the octets after the last full block of 32.
    private static func finish(_ begun: UInt64, _ bytes: Span<UInt8>, from start: Int) -> UInt64 {
        var sum = begun
        var offset = start
        while offset <= bytes.count - 8 {
            sum = rotate(sum ^ round(0, bytes.littleEndian64(at: offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset <= bytes.count - 4 {
            let word = (0..<4).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
            sum = rotate(sum ^ word &* prime1, 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            sum = rotate(sum ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset += 1
        }
        return sum
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    private static func merge(_ sum: UInt64, _ lane: UInt64) -> UInt64 { (sum ^ round(0, lane)) &* prime1 &+ prime4 }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value &<< bits | value &>> (64 - bits) }
}

extension Span where Element == UInt8 {
    /// The eight octets from `start` as one little-endian number.
    @inline(__always)
    fileprivate func littleEndian64(at start: Int) -> UInt64 { bigEndian64(at: start).byteSwapped }
}
