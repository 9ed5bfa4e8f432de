import Foundation
import TestSupport

/// Keys, certificates and bundles as the `openssl` command makes them.
struct OpenSSL {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    private static let path = "/usr/bin/openssl"

    private let folder: URL

    /// Runs in `folder`, which exists already.
    init(folder: String) { self.folder = URL(filePath: folder) }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a command whose arguments have no blanks.
    func run(_ command: String) throws { try run(command.split(separator: " ").map(String.init)) }

    func run(_ arguments: [String]) throws {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "openssl \(arguments): \(String(decoding: said, as: UTF8.self))")
        }
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    /// Makes a PKCS#12 bundle with the pass phrase `geheim`.
    func bundle(_ name: String, of certificates: String, key: String, _ flags: [String] = []) throws -> [UInt8] {
        let words = ["pkcs12", "-export", "-in", certificates, "-inkey", key, "-passout", "pass:geheim", "-out", name]
        try run(words + flags)
        return try bytes(name)
    }

    /// Leaves `ca.pem`, and `client.pem` with `client.key`: a certificate as Apple's, with two topics, for both environments.
    func makeCertificate() throws {
        for (name, bytes) in try Self.certificate.get() { try Data(bytes).write(to: folder.appending(path: name)) }
    }

    /// The files that ``makeCertificate()`` leaves, by name. They are made once: the keys take most of a second.
    private static let certificate = Result { () throws -> [String: [UInt8]] in
        try withTemporaryFolder { url in
            let openssl = OpenSSL(folder: url.path)
            try openssl.makeFiles()
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            return Dictionary(uniqueKeysWithValues: try names.map { ($0, try openssl.bytes($0)) })
        }
    }

    private func makeFiles() throws {
        try write(Self.configuration, to: "apns.cnf")
        try run(
            """
            req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=TestCA \
            -addext keyUsage=critical,keyCertSign
            """
        )
        try run("req -new -newkey rsa:2048 -nodes -keyout client.key -out client.csr -config apns.cnf")
        try sign("client", extensions: "client")
    }

    /// Makes a certificate for `client.key`.
    func sign(_ name: String, extensions: String) throws {
        try run(
            """
            x509 -req -in client.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -extfile apns.cnf \
            -extensions \(extensions) -out \(name).pem
            """
        )
    }

    private static let configuration = """
        [req]
        prompt = no
        distinguished_name = dn
        [dn]
        UID = com.example.app
        CN = Apple Push Services: com.example.app
        OU = TEAM123456
        [client]
        basicConstraints = critical,CA:FALSE
        extendedKeyUsage = critical,clientAuth
        1.2.840.113635.100.6.3.1 = ASN1:NULL
        1.2.840.113635.100.6.3.2 = ASN1:NULL
        1.2.840.113635.100.6.3.6 = ASN1:SEQUENCE:topics
        [development]
        extendedKeyUsage = critical,clientAuth
        1.2.840.113635.100.6.3.1 = ASN1:NULL
        [plain]
        extendedKeyUsage = critical,clientAuth
        [topics]
        t1 = UTF8:com.example.app
        g1 = SEQUENCE:app
        t2 = UTF8:com.example.app.voip
        g2 = SEQUENCE:voip
        [app]
        n = UTF8:app
        [voip]
        n = UTF8:voip

        """
}
