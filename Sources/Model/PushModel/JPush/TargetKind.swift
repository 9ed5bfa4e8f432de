/// What a name that stands for devices is: in a batch, and in a file of them.
public enum TargetKind: String, Hashable, Sendable {
    case registrationID = "registration_id"
    case alias
}
