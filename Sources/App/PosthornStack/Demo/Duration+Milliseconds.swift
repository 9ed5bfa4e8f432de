import Foundation

extension Duration {
    /// The duration as text: `12.3 ms`.
    package var milliseconds: String {
        let value = self / .milliseconds(1)
        return value.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en_US"))) + " ms"
    }
}
