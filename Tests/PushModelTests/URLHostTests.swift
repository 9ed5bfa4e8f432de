import PushModel
import Testing

@Suite("Hosts of URLs")
struct URLHostTests {
    @Test(
        "Every spelling of a numeric address that resolvers read is that address",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("127.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"),
            ("0x7f000001", "127.0.0.1"), ("0X7F000001", "127.0.0.1"), ("0x7F.1", "127.0.0.1"),
            ("0177.0.0.1", "127.0.0.1"), ("0177.0x0.0.01", "127.0.0.1"), ("017700000001", "127.0.0.1"),
            ("127.0.0.1.", "127.0.0.1"), ("0", "0.0.0.0"), ("0x", "0.0.0.0"), ("00", "0.0.0.0"),
            ("0xa9fea9fe", "169.254.169.254"), ("169.16689662", "169.254.169.254"), ("10.0.0.1", "10.0.0.1"),
            ("255.255.255.255", "255.255.255.255"), ("4294967295", "255.255.255.255"), ("8.8.8.8", "8.8.8.8"),
            ("[::1]", "::1"), ("::1", "::1"), ("[::FFFF:127.0.0.1]", "127.0.0.1"), ("[::ffff:7f00:1]", "127.0.0.1"),
            ("[FD00:EC2::254]", "fd00:ec2::254"),
        ]
    )
    func numbers(_ written: String, _ text: String) throws {
        let host = try #require(URLHost(written))
        #expect(host.text == text)
        #expect(host.address != nil && host.address == IPAddress(text))
        #expect(host.authority == (text.contains(":") ? "[\(text)]" : text))
    }

    @Test(
        "What is neither a name nor an address is no host",
        arguments: [
            "", "127.0.0.1%00", "%31%32%37.0.0.1", "a%3a80%20HTTP%2f1.1%0d%0aX", "a:80", "a b", "a\r\nb", "a/b",
            "a@b",
            "ａ.example", "１２７.0.0.1", "a\u{0}", "256.0.0.1", "1.2.3.4.5", "08.0.0.1", "127.0.0.0x100", "4294967296",
            "1.2.65536.1", "99999999999999999999", "127.0.0.+1", "example.1", "example.0x1", "[::1", "::1]",
            "[1.2.3.4]",
            "[::1%25eth0]", "fe80::1%eth0", "[+1::1]", "[::+1]", "[a]", "[]", "[[::1]]", "1:2",
            String(repeating: "a", count: 255),
        ]
    )
    func nothing(_ written: String) { #expect(URLHost(written) == nil) }

    @Test("Names are in lower case; those of the loopback have its address, whatever resolves them")
    func names() throws {
        for name in [
            "localhost", "LOCALHOST", "LocalHost.", "a.localhost", "localhost.localdomain", "ip6-localhost",
            "ip6-loopback", "localhost6",
        ] {
            let host = try #require(URLHost(name))
            #expect(host.address == nil && host.text == name.lowercased())
            #expect(host.knownAddress?.isLoopback == true, "\(name)")
        }
        for name in [
            "example.com", "Receiver_1.example.com.", "localhost.example.com", "notlocalhost", "xn--bcher-kva.example",
            "0x7f.example", "deadbeef",
        ] {
            let host = try #require(URLHost(name))
            #expect(host.text == name.lowercased() && host.address == nil && host.knownAddress == nil, "\(name)")
        }
    }

    @Test("An address with a leading zero, or a sign, has no usual form")
    func addresses() {
        for text in ["0177.0.0.1", "127.0.0.01", "00.0.0.0", "::+1", "+1::1", "1.2.3.4%00"] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
        #expect(IPAddress("0.0.0.0") != nil)
    }
}
