import Foundation
import Synchronization

/// Keeps the phones that a test creates until it ends, so that a failure comes with their stories.
///
/// `@Test(.phoneStory)` and `PhoneTestCase` have one for each test.
public final class PhoneWatch: Sendable {
    @TaskLocal static var current: PhoneWatch?
    /// The watch of XCTest, which runs one test at a time and binds no values to its task.
    private static let ofProcess = Mutex<PhoneWatch?>(nil)

    private let created = Mutex<[TestPhone]>([])

    /// Creates a watch without phones.
    public init() {}

    /// Runs `body`: the phones that it creates, and the tasks that it starts create, are kept here.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Makes this the watch of all code without one of its own, or ends that.
    ///
    /// - Parameter isOn: whether it is.
    public func watchProcess(_ isOn: Bool) { Self.ofProcess.withLock { $0 = isOn ? self : nil } }

    /// The phones so far, in the order of their creation.
    public var phones: [TestPhone] { created.withLock(\.self) }

    /// The stories of all phones; empty without any.
    public var story: String { phones.map(\.story).joined(separator: "\n\n") }

    /// Lets the phones go.
    public func end() {
        let ended = created.withLock { phones in
            defer { phones = [] }
            return phones
        }
        withExtendedLifetime(ended) {}
    }

    static func note(_ phone: TestPhone) {
        let watch = current ?? ofProcess.withLock(\.self)
        watch?.created.withLock { $0.append(phone) }
    }

    /// Writes the story and the run file of each phone into a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder, which is created if it is missing.
    ///   - test: the name of the test, with which the names of the files begin.
    /// - Returns: the files.
    /// - Throws: an error if a file cannot be written.
    public func write(to folder: URL, as test: String) throws -> [URL] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = Self.fileName(test)
        var files: [URL] = []
        for (number, phone) in phones.enumerated() {
            for ending in ["txt", "json"] {
                let file = folder.appending(path: "\(name)-\(number + 1)-\(Self.fileName(phone.device.name)).\(ending)")
                try phone.writeStory(to: file)
                files.append(file)
            }
        }
        return files
    }

    static func fileName(_ text: String) -> String {
        String(text.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." ? $0 : "_" })
    }
}
