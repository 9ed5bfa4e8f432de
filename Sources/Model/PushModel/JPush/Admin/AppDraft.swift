/// `{"app_name":"…","android_package":"…","group_name":"…"}`: an app to be created.
///
/// Source: JPush REST API, "Admin API v1". Libraries send `group_name` as null when there is none.
package struct AppDraft: Hashable, Sendable {
    package var name: String
    /// The bundle id until a certificate specifies another.
    package var package: String
    package var group: String?

    /// - Throws: 4002 for a missing parameter, 4003 for an invalid one.
    package init(parsing body: [UInt8]) throws(JPushError) {
        let object = try JSONObject(body: body) { .badAdminParameter($0) }
        func text(_ key: String) throws(JPushError) -> String? {
            switch object[key] {
            case nil, .null, .string(""): return nil
            case .string(let text):
                if let control = text.controlInName {
                    throw .badAdminParameter("'\(key)' has the character \(control); leave it out.")
                }
                return text
            case let value?: throw .badAdminParameter("'\(key)' is \(value.kind); expected a string.")
            }
        }
        guard let name = try text("app_name") else { throw .adminParameterMissing("app_name") }
        guard let package = try text("android_package") else { throw .adminParameterMissing("android_package") }
        guard package.utf8.count <= JPushLimits.packageBytes,
            package.utf8.allSatisfy({ $0.isLetterOrDigit || "._-".utf8.contains($0) })
        else {
            throw .badAdminParameter(
                "'android_package' is '\(package)'; expected at most \(JPushLimits.packageBytes) letters, digits, '.', "
                    + "'_' and '-'."
            )
        }
        self.name = name
        self.package = package
        group = try text("group_name")
    }
}
