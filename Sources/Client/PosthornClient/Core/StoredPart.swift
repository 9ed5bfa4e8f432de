import Foundation

/// A part of the client's state, which is stored under a name of its own: a receipt does not write the queue again.
enum StoredPart: Hashable, Sendable {
    case state(SavedState)
    case queue(RequestQueue)
    case receipts(ReceiptOutbox)
    case position(SavedPosition)

    enum Key: String {
        case state
        case queue
        case receipts
        case position
    }

    var key: Key {
        switch self {
        case .state: .state
        case .queue: .queue
        case .receipts: .receipts
        case .position: .position
        }
    }

    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return switch self {
        case .state(let state): try encoder.encode(state)
        case .queue(let queue): try encoder.encode(queue)
        case .receipts(let receipts): try encoder.encode(receipts)
        case .position(let position): try encoder.encode(position)
        }
    }
}

/// The parts that an earlier process has stored.
struct StoredParts: Hashable, Sendable {
    /// Nil at the first start, or if it is damaged.
    var state: SavedState?
    var queue = RequestQueue()
    var receipts = ReceiptOutbox()
    var position = SavedPosition()
    /// Whether parts are in the state, as an older version has stored them, and have to be stored before the state is.
    var isWhole = false

    init(state: SavedState? = nil) { self.state = state }

    /// Reads the parts.
    ///
    /// - Parameters:
    ///   - store: where they are.
    ///   - log: is told of a damaged part, which begins anew: registering again is better than an app without pushes.
    /// - Throws: the store's error if it cannot be read.
    init(from store: any StateStore, log: (String) -> Void) throws {
        let whole = try store.data(for: StoredPart.Key.state.rawValue)
        var isWhole = false
        func read<Part: Decodable>(_ key: StoredPart.Key) throws -> Part? {
            let own = key == .state ? whole : try store.data(for: key.rawValue)
            if own == nil, whole != nil { isWhole = true }
            guard let data = own ?? whole else { return nil }
            do {
                return try JSONDecoder().decode(Part.self, from: data)
            } catch {
                log("The client's stored \(key.rawValue) is damaged, and begins anew: \(error)")
                return nil
            }
        }
        state = try read(.state)
        queue = try read(.queue) ?? queue
        receipts = try read(.receipts) ?? receipts
        position = try read(.position) ?? position
        self.isWhole = isWhole
    }
}
