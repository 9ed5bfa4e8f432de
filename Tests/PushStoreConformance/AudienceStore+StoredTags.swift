import PushModel
package import PushService
import Synchronization

extension AudienceStore {
    /// The tags that stay known without a device, of all apps.
    package func storedTags() async throws -> [App.ID: Set<String>] {
        let tags = Mutex<[App.ID: Set<String>]>([:])
        try await storedTags { app, names in tags.withLock { $0[app, default: []].formUnion(names) } }
        return tags.withLock(\.self)
    }
}
