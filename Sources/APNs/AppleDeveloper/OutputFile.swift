package import Foundation
// Not `stat` of the system: which C module owns its members differs with what is compiled together.
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that a command writes where its user says.
///
/// A regular file is complete, or as it was: the content goes to a new file beside it, which ``commit()`` puts in its place. A symbolic
/// link stays, and what it leads to is replaced. Anything else that is there, such as `/dev/null`, a terminal or a pipe, is written in
/// place: to replace it would take it from every program of the machine.
package struct OutputFile {
    /// The most symbolic links on the way to a file, as in Linux.
    private static let mostLinks = 40

    private let path: String
    /// The path of the file that is replaced; nil for one that is written in place.
    private let target: String?
    private let draft: String
    private let descriptor: Int32

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - isPrivate: whether only the owner may read a regular file; otherwise it keeps its mode, and a new one gets the usual one.
    /// - Throws: if it cannot be written, or is a folder.
    package init(_ path: String, isPrivate: Bool = false) throws(PrivateFile.Problem) {
        self.path = path
        let facts = try? Stat(FilePath(path))
        let isRegular = facts?.type == .regular
        guard facts == nil || isRegular, let target = try Self.end(of: path) else {
            self.target = nil
            draft = ""
            descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (isRegular ? O_TRUNC : 0))
            guard descriptor >= 0 else { throw PrivateFile.Problem(path, "written") }
            return
        }
        self.target = target
        draft = target + "." + UUID().uuidString
        descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
        guard descriptor >= 0 else { throw PrivateFile.Problem(path, "written") }
        if let facts, !isPrivate { fchmod(descriptor, facts.permissions.rawValue & 0o777) }
    }

    /// Returns the path without links at its end; nil if one of them is of the kernel, such as `/dev/stdout`, whose text is no path.
    private static func end(of path: String) throws(PrivateFile.Problem) -> String? {
        var path = path
        for _ in 0..<mostLinks {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
            let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
            if folder.hasPrefix("/proc/") || folder.hasPrefix("/dev/fd/") { return nil }
            guard isTrusted(link: path, in: folder) else {
                errno = EACCES
                throw PrivateFile.Problem(path, "written")
            }
            path = next.hasPrefix("/") ? next : folder + (folder.hasSuffix("/") ? "" : "/") + next
        }
        errno = ELOOP
        throw PrivateFile.Problem(path, "written")
    }

    /// Whether a link may be followed: in a folder where everybody may make files, such as `/tmp`, not that of another user, which could
    /// lead to any file of this one.
    ///
    /// Source: Linux, `fs.protected_symlinks`, which only says so of files that are opened.
    private static func isTrusted(link: String, in folder: String) -> Bool {
        guard let own = try? Stat(FilePath(link), followTargetSymlink: false),
            let around = try? Stat(FilePath(folder))
        else { return false }
        let isShared = around.permissions.isSuperset(of: [.saveText, .otherWrite])
        return !isShared || own.userID.rawValue == geteuid() || own.userID == around.userID
    }

    /// Appends to the content.
    ///
    /// - Throws: if not all of it can be written.
    package func write(_ data: Data) throws(PrivateFile.Problem) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw PrivateFile.Problem(path, "written")
            }
        }
    }

    /// Ends the file, and puts it in its place.
    ///
    /// - Throws: if that fails; the file is then as it was.
    package func commit() throws(PrivateFile.Problem) {
        guard close(descriptor) == 0 else {
            let problem = PrivateFile.Problem(path, "written")
            removeDraft()
            throw problem
        }
        guard let target, unsafe rename(draft, target) != 0 else { return }
        let problem = PrivateFile.Problem(path, "written")
        removeDraft()
        throw problem
    }

    /// Ends the file without putting it in its place.
    package func discard() {
        close(descriptor)
        removeDraft()
    }

    private func removeDraft() { if target != nil { unsafe unlink(draft) } }

    /// Writes a whole file.
    ///
    /// - Throws: if it cannot be written; a regular file is then as it was.
    package static func write(_ data: Data, to path: String, isPrivate: Bool = false) throws(PrivateFile.Problem) {
        let file = try OutputFile(path, isPrivate: isPrivate)
        do throws(PrivateFile.Problem) { try file.write(data) } catch {
            file.discard()
            throw error
        }
        try file.commit()
    }

    /// Whether a path leads to a regular file or to nothing, so that other files may be written beside it.
    package static func isRegular(_ path: String) -> Bool {
        guard let facts = try? Stat(FilePath(path)) else { return true }
        return facts.type == .regular
    }

    /// Makes an open file readable by its owner alone; anything but a regular file stays as it is.
    ///
    /// - Returns: false for another user's file, and if that fails.
    package static func makePrivate(_ descriptor: Int32) -> Bool {
        guard let facts = try? Stat(FileDescriptor(rawValue: descriptor)) else { return false }
        guard facts.type == .regular else { return true }
        return facts.userID.rawValue == geteuid() && fchmod(descriptor, 0o600) == 0
    }

    /// Removes a regular file, or the one that a link leads to; nothing else.
    package static func remove(_ path: String) {
        guard let facts = try? Stat(FilePath(path)), facts.type == .regular else { return }
        if let target = try? end(of: path) { unsafe unlink(target) }
    }
}

/// `write` of the system, which the methods above hide.
private let systemWrite = unsafe write as @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int
