import PushModel
import PushService
import Synchronization

/// The ordinals that this node may give to new devices.
///
/// An ordinal that is not used, because the registration fails or the process ends, stays unused. Calls that come while a block is
/// being taken wait for it, so that there are few gaps: memory has a place for each ordinal.
final class OrdinalBlocks: Sendable {
    /// The number of ordinals that a node takes at a time.
    static let size: Int64 = 64

    private struct Block {
        var ordinals: Range<Int64> = 0..<0
        var isBeingTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private enum Place {
        case here(Range<Int64>)
        /// The caller takes the next block.
        case next
        case wait
    }

    private let blocks = Mutex<[App.ID: Block]>([:])

    /// Returns `count` consecutive ordinals; `claim` takes a number of them from the database and returns the first.
    func take(_ app: App.ID, count: Int64 = 1, claim: (Int64) async throws -> Int64) async throws -> Range<Int64> {
        guard count < Self.size else {
            let first = try await claim(count)
            return first..<first + count
        }
        while true {
            switch place(for: count, of: app) {
            case .here(let ordinals): return ordinals
            case .next:
                do {
                    let first = try await claim(Self.size)
                    finish(app, first..<first + Self.size)
                } catch {
                    finish(app, nil)
                    throw error
                }
            case .wait: await next(of: app)
            }
        }
    }

    private func place(for count: Int64, of app: App.ID) -> Place {
        blocks.withLock { blocks in
            var block = blocks[app, default: Block()]
            defer { blocks[app] = block }
            guard block.ordinals.count < count else {
                let first = block.ordinals.lowerBound
                block.ordinals = first + count..<block.ordinals.upperBound
                return .here(first..<first + count)
            }
            guard !block.isBeingTaken else { return .wait }
            block.isBeingTaken = true
            return .next
        }
    }

    /// Returns when the block that another call takes is there, or could not be taken.
    private func next(of app: App.ID) async {
        await withCheckedContinuation { caller in
            let isTaken = blocks.withLock { blocks in
                guard blocks[app]?.isBeingTaken == true else { return true }
                blocks[app]?.waiting.append(caller)
                return false
            }
            if isTaken { caller.resume() }
        }
    }

    /// Lets the waiting calls look at the new block; nil if it could not be taken.
    private func finish(_ app: App.ID, _ ordinals: Range<Int64>?) {
        let waiting = blocks.withLock { blocks in
            let waiting = blocks[app]?.waiting ?? []
            blocks[app] = Block(ordinals: ordinals ?? 0..<0)
            return waiting
        }
        for caller in waiting { caller.resume() }
    }
}
