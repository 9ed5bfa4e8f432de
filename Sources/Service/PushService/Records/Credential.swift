/// With what an app proves itself to APNs: a p8 key, good for both environments.
package struct Credential: Hashable, Sendable {
    /// Ten characters.
    package var keyID: String
    /// Ten characters.
    package var teamID: String
    /// PKCS#8 in PEM, as Apple hands it out.
    package var privateKey: String

    package init(keyID: String, teamID: String, privateKey: String) {
        self.keyID = keyID
        self.teamID = teamID
        self.privateKey = privateKey
    }
}
