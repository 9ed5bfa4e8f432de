/// Adds to libpq's message what was expected and what to do, where the cause is known.
enum ConnectionAdvice {
    /// A part of the message, and the advice.
    private static let known: KeyValuePairs = [
        "password authentication failed":
            """
        The password of this user on the server is required. Correct user and password in the URL, or set the password with ALTER ROLE \
        … PASSWORD
        """,
        "no password supplied":
            "The server expects a password. Put it into the URL after the user (USER:PASSWORD@HOST), or into the file ~/.pgpass",
        "certificate verify failed":
            """
        The certificate must be issued by an authority in the file sslrootcert. Give the URL the certificate of the authority \
        that issued the server's: sslrootcert=/path/to/ca.crt
        """,
        "root certificate file":
            """
        sslmode=verify-full expects the certificate of the authority that issued the server's. Name its file in the URL: \
        sslrootcert=/path/to/ca.crt
        """,
        "does not match host name":
            """
        sslmode=verify-full expects the host of the URL among the certificate's names. Use one of these names in the URL, or a \
        certificate with this one
        """,
        "server does not support SSL":
            "The sslmode in the URL expects TLS. Set ssl = on, with a certificate, in the server's postgresql.conf",
        "no pg_hba.conf entry":
            """
        There must be a line in the server's pg_hba.conf for this address, user, database and encryption. Add it and reload the server; for \
        "no encryption" and a line that begins with hostssl, use sslmode=verify-full in the URL
        """,
        "database \"": "The database must exist. Create it with createdb, or correct the URL",
        "role \"": "The role must exist and be allowed to log in. Create it with createuser, or correct the URL",
        "Connection refused": "There must be a server at this host and port. Start it, or correct the URL",
        "No such file or directory":
            "There must be a server on this machine, with this socket. Start it, or name its host in the URL",
        "timeout expired":
            "The server must answer within connect_timeout. Check whether the server is running and a firewall lets its port through",
        "session is read-only":
            "The service needs a primary, because it writes. Name it, or all servers, in the URL: postgres://…@db1,db2/DATABASE",
    ]

    /// Returns a message of libpq with the advice for the first cause that is known.
    static func adding(to message: String) -> String {
        guard let advice = known.first(where: { message.contains($0.key) })?.value else { return message }
        return "\(message)\(message.hasSuffix(".") ? "" : ".") \(advice)"
    }
}
