import NIOSSL

/// A certificate for `localhost` that signs itself. It guards nothing: everybody can read its key here.
enum TestIdentity {
    static func certificate() throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(certificateText.utf8), format: .pem)
    }

    static func key() throws -> NIOSSLPrivateKey { try NIOSSLPrivateKey(bytes: Array(keyText.utf8), format: .pem) }

    private static let certificateText = """
        -----BEGIN CERTIFICATE-----
        MIIBYjCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABK59A4q5X41T80Ds
        Q1Z6tsh1hzQQxBDs+puoEJ713nYok1wYquGt0jtKDH/xSULSL4GM/QmgwZPMpQo/
        K5su24qjSDBGMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/
        MB0GA1UdDgQWBBSpqntvjQSbyQ8BG9Oih8ryp4ZXczAKBggqhkjOPQQDAgNJADBG
        AiEArDh9hNeo+tp+gWVV6LX+1R/lWvhqOpB+HpNERSsW6dwCIQDBV37pZMx5EcKq
        wwaucoA0mRiQ/Ox+yOvvtsXMbpqxwQ==
        -----END CERTIFICATE-----
        """

    private static let keyText = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgz3Wha9p+qOM2AQHI
        ynZmGqg5ZxlJrr/rtYdS0vIdWUqhRANCAASufQOKuV+NU/NA7ENWerbIdYc0EMQQ
        7PqbqBCe9d52KJNcGKrhrdI7Sgx/8UlC0i+BjP0JoMGTzKUKPyubLtuK
        -----END PRIVATE KEY-----
        """
}
