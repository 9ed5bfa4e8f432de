import Foundation

/// The mark by which a client knows that the state in its store was written on this phone: a restored backup brings the state of
/// another one, and no mark of it.
struct InstallationMark {
    static let key = "mark"

    /// Has the state.
    let store: any StateStore
    /// A place that no backup brings to another phone.
    let phone: any StateStore
    let log: @Sendable (String) -> Void

    /// Removes the state of another phone, so that this one registers as a device of its own, and sets both marks if they differ. A state
    /// without a mark is from a version that set none.
    ///
    /// - Parameter mark: a new mark.
    /// - Throws: the error of a place that cannot be read yet.
    func check(orElse mark: String) throws {
        let written = try store.data(for: Self.key)
        let own: Data?
        do { own = try phone.data(for: Self.key) } catch let error as PosthornError {
            return log("The mark of this phone cannot be read, so a restored state is not recognised: \(error)")
        }
        if let written, own == written { return }
        if written != nil {
            log("The stored state is another phone's; this one registers as a device of its own.")
            let state = StoredPart.Key.state.rawValue
            let before = try store.data(for: state).flatMap { try? JSONDecoder().decode(SavedState.self, from: $0) }
            for name in try store.keys() where name != Self.key && name != state { store.set(nil, for: name) { _ in } }
            // The next registration names the former one.
            let next = before.flatMap { before in
                (before.registration ?? before.former).map { former in
                    var next = SavedState(installation: "", appKey: before.appKey)
                    next.former = former
                    return next
                }
            }
            store.set(next.map { Data($0.json.utf8) }, for: state) { _ in }
        }
        // The mark in the store comes last: until then the next process does the same.
        let store = store
        let log = log
        let new = Data(mark.utf8)
        phone.set(new, for: Self.key) { marked in
            var data: Data? = new
            if case .failure(let error) = marked {
                data = nil
                log("The mark of this phone cannot be stored, so a restored state is not recognised: \(error)")
            }
            store.set(data, for: Self.key) { _ in }
        }
    }
}
