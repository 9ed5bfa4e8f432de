import PushModel
import PushService
import Synchronization

/// The ordinals that this node may give to new devices.
///
/// An ordinal that is not used, because the registration fails or the process ends, stays unused.
final class OrdinalBlocks: Sendable {
    /// The number of ordinals that a node takes at a time.
    static let size: Int64 = 64

    private let blocks = Mutex<[App.ID: Range<Int64>]>([:])

    /// Returns `count` consecutive ordinals.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - count: the number of ordinals.
    ///   - claim: takes a number of ordinals from the database and returns the first.
    /// - Returns: the ordinals.
    /// - Throws: the error of `claim`.
    func take(_ app: App.ID, count: Int64 = 1, claim: (Int64) async throws -> Int64) async throws -> Range<Int64> {
        if let known = cut(app, count) { return known }
        let size = max(Self.size, count)
        let first = try await claim(size)
        return blocks.withLock { blocks in
            // A block that a concurrent call has taken is longer, if it is there.
            let rest = first + count..<first + size
            if blocks[app].map({ $0.count < rest.count }) ?? true { blocks[app] = rest }
            return first..<first + count
        }
    }

    private func cut(_ app: App.ID, _ count: Int64) -> Range<Int64>? {
        blocks.withLock { blocks in
            guard let block = blocks[app], block.count >= count else { return nil }
            blocks[app] = block.lowerBound + count..<block.upperBound
            return block.lowerBound..<block.lowerBound + count
        }
    }
}
