import ArgumentParser

/// Requires something of the options and arguments of a command.
///
/// - Throws: the problem, as the parser reports it.
func require(_ isSo: Bool, _ problem: @autoclosure () -> String) throws(ValidationError) {
    guard isSo else { throw ValidationError(problem()) }
}
