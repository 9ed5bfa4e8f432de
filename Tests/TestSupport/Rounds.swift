import Foundation

/// Returns how many rounds a test with random input takes: `usual`, or `release` where `POSTHORN_RELEASE` is set, as in `.ci/run --release`.
///
/// Each round has a seed of its own, so the first ones are the same in both.
package func rounds<Count: BinaryInteger>(_ usual: Count, release: Count) -> Count {
    ProcessInfo.processInfo.environment["POSTHORN_RELEASE"] == nil ? usual : release
}
