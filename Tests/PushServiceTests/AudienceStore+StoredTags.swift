import PushModel
import PushService

extension AudienceStore {
    /// The tags that stay known without a device, of all apps.
    func storedTags() async throws -> [App.ID: Set<String>] {
        let tags = Recorder<(App.ID, [String])>()
        try await storedTags { tags.add(($0, $1)) }
        return tags.elements.reduce(into: [:]) { $0[$1.0, default: []].formUnion($1.1) }
    }
}
