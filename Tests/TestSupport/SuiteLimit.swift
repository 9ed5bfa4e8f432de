package import Testing

extension Trait where Self == TimeLimitTrait {
    /// The time limit of a suite whose tests wait for events: far more than any of them takes on a slow machine.
    package static var suiteLimit: Self { .timeLimit(.minutes(5)) }
}
