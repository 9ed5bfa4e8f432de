/// The kind of the targets in a batch or in an audience file.
package enum TargetKind: String, Hashable, Sendable {
    case registrationID = "registration_id"
    case alias
}
