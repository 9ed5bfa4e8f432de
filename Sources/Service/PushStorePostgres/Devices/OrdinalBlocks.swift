import PushModel
import PushService
import Synchronization

/// The ordinals that this node may give to new devices.
///
/// An ordinal that is not used, because the registration fails or the process ends, stays unused. There are few gaps: memory has a place
/// for each ordinal.
final class OrdinalBlocks: Sendable {
    /// The number of ordinals that a node takes at a time.
    static let size: Int64 = 64

    private let blocks = Mutex<[App.ID: NumberBlock]>([:])

    /// Returns `count` consecutive ordinals; `claim` takes a number of them from the database and returns the first.
    func take(_ app: App.ID, count: Int64 = 1, claim: (Int64) async throws -> Int64) async throws -> Range<Int64> {
        guard count < Self.size else {
            let first = try await claim(count)
            return first..<first + count
        }
        let block = blocks.withLock { blocks in
            let block = blocks[app] ?? NumberBlock()
            blocks[app] = block
            return block
        }
        let first = try await block.take(count) {
            let first = try await claim(Self.size)
            return first..<first + Self.size
        }
        return first..<first + count
    }
}
