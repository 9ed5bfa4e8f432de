/// The p8 key with which an app authenticates to APNs, valid in both environments.
package struct Credential: Hashable, Sendable {
    /// Ten characters.
    package var keyID: String
    /// Ten characters.
    package var teamID: String
    /// PKCS#8 in PEM, as issued by Apple.
    package var privateKey: String

    package init(keyID: String, teamID: String, privateKey: String) {
        self.keyID = keyID
        self.teamID = teamID
        self.privateKey = privateKey
    }
}
