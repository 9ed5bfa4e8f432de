import Foundation

/// The number on the app's icon, in the store that app and service extension share: an extension cannot ask for it.
struct PushBadge: Sendable {
    static let key = "badge"

    let store: any StateStore

    func set(_ number: Int) { store.set(Data("\(number)".utf8), for: Self.key) { _ in } }

    /// Returns the number that a push asks for under `badge` of its payload, such as `5`, or `+1` to count on; nil if the icon stays as it
    /// is, or the system sets it, because the number is in `aps`. Without the app's state nobody would set the number back.
    func next(_ userInfo: [AnyHashable: Any]) -> Int? {
        func data(_ key: String) -> Data? { (try? store.data(for: key)).flatMap { $0 } }
        guard data(StoredPart.Key.state.rawValue) != nil else { return nil }
        if let given = (userInfo["aps"] as? [AnyHashable: Any])?["badge"] as? Int {
            set(given)
            return nil
        }
        let wanted = userInfo["badge"]
        guard let number = wanted as? Int ?? (wanted as? String).flatMap({ Int($0) }), number.magnitude <= Self.most
        else {
            return nil
        }
        let isChange = (wanted as? String).map { $0.hasPrefix("+") || $0.hasPrefix("-") } ?? false
        let last = isChange ? data(Self.key).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0 : 0
        let next = min(max(last + number, 0), Self.most)
        set(next)
        return next
    }

    /// The service takes no larger one either.
    private static let most = 99_999
}
