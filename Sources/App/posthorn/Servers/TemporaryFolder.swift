import Foundation

/// The folder that the user named, or a new one that is removed at the end.
struct TemporaryFolder {
    let path: String
    private let isOurs: Bool

    init(named path: String?) {
        isOurs = path == nil
        let name = "posthorn-\(UUID().uuidString.lowercased().prefix(8))"
        self.path = path ?? FileManager.default.temporaryDirectory.appending(path: name).path(percentEncoded: false)
    }

    func remove() {
        guard isOurs else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            printNote("The folder \(path) could not be removed: \(error.localizedDescription)")
        }
    }
}
