/// A change by another node of the tags that stay known without a device.
package enum TagChange: Hashable, Sendable {
    case kept([String], App.ID)
    case forgotten(String, App.ID)
}
