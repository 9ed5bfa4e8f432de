import PushModel
import Testing

@Suite("Public addresses")
struct PublicAddressTests {
    @Test(
        "Only addresses of the public internet are public",
        arguments: [
            ("93.184.216.34", true), ("8.8.8.8", true), ("172.32.0.1", true), ("100.128.0.1", true),
            ("2606:4700::1111", true),
            ("64:ff9b::808:808", true), ("::ffff:8.8.8.8", true), ("0.0.0.0", false), ("10.1.2.3", false),
            ("100.64.0.1", false), ("127.0.0.1", false), ("169.254.169.254", false), ("172.16.0.1", false),
            ("172.31.255.255", false), ("192.168.1.1", false), ("192.0.2.1", false), ("198.18.0.1", false),
            ("224.0.0.1", false), ("255.255.255.255", false), ("::", false), ("::1", false), ("fe80::1", false),
            ("fc00::1", false), ("fd12:3456::1", false), ("ff02::1", false), ("::ffff:10.0.0.1", false),
            ("::ffff:169.254.169.254", false), ("64:ff9b::a9fe:a9fe", false), ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false), ("2001::1", false), ("2001:db8::1", false), ("::127.0.0.1", false),
            ("fec0::1", false),
            ("fd00:ec2::254", false),
        ]
    )
    func addresses(_ text: String, _ isPublic: Bool) throws {
        #expect(try #require(IPAddress(text)).isPublic == isPublic)
    }

    @Test(
        "Addresses of the machine and its links are told from others",
        arguments: [
            ("127.0.0.1", true), ("127.9.8.7", true), ("0.0.0.0", true), ("169.254.169.254", true), ("::1", true),
            ("::", true), ("fe80::1", true), ("febf::1", true), ("::ffff:127.0.0.1", true),
            ("::ffff:169.254.169.254", true), ("::127.0.0.1", true), ("::169.254.169.254", true),
            ("64:ff9b::a9fe:a9fe", true), ("64:ff9b::7f00:1", true), ("10.0.0.1", false), ("192.168.1.1", false),
            ("93.184.216.34", false), ("2001:db8::1", false), ("fec0::1", false), ("::ffff:10.0.0.1", false),
            ("::10.0.0.1", false), ("64:ff9b::808:808", false),
        ]
    )
    func ofThisMachine(_ text: String, _ isOwn: Bool) throws {
        #expect(try #require(IPAddress(text)).isOfThisMachine == isOwn)
    }

    @Test("A range has the addresses with its first bits; one of the other family is in none")
    func ranges() throws {
        let range = try #require(IPRange("10.64.0.0/10"))
        #expect(range.contains(try #require(IPAddress("10.127.255.255"))))
        #expect(!range.contains(try #require(IPAddress("10.128.0.0"))))
        #expect(!range.contains(try #require(IPAddress("::1"))))
        let one = try #require(IPRange("fd00::7"))
        #expect(one.contains(try #require(IPAddress("fd00::7"))))
        #expect(!one.contains(try #require(IPAddress("fd00::8"))))
        for text in ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "host", ""] { #expect(IPRange(text) == nil) }
    }
}
