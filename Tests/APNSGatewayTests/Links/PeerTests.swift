import NIOCore
import NetworkSupport
import PushModel
import Testing

@Suite("The address of a peer")
struct PeerTests {
    @Test("An address is read in each of its forms, and nothing else is")
    func addresses() throws {
        let table: [(text: String, network: String)] = [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8::7", "2001:db8:0:0::/64"),
            ("::1", "0:0:0:0::/64"),
            ("::", "0:0:0:0::/64"),
            ("fe80::", "fe80:0:0:0::/64"),
            ("64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"),
        ]
        for (text, network) in table { #expect(IPAddress(text)?.network == network, "\(text)") }
        for text in [
            "", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "+1.2.3.4", "1.2.3.-4", ":::", "1::2::3", "12345::",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1.2.3", "1:2:3:4:5:6:7::8", "g::", "1.2.3.4:80",
        ] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
        #expect(try #require(IPAddress("::1")).isLoopback)
        #expect(try #require(IPAddress("127.1.2.3")).isLoopback)
        #expect(try !#require(IPAddress("128.1.2.3")).isLoopback)
    }

    @Test("A proxy's word is taken for whom it speaks, nobody else's is")
    func forwarded() throws {
        let rule = try ProxyRule(["127.0.0.1", "10.8.0.0/13", "fd00::/8"])
        let table: [(peer: String, forwarded: [String], network: String)] = [
            ("192.0.2.1", ["198.51.100.1"], "192.0.2.1"),
            ("127.0.0.1", [], "127.0.0.1"),
            ("127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("127.0.0.2", ["198.51.100.1"], "127.0.0.2"),
            // The first is what the caller wrote.
            ("127.0.0.1", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
            ("127.0.0.1", ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
            ("127.0.0.1", ["6.6.6.6, 198.51.100.1, 10.15.255.1"], "198.51.100.1"),
            ("127.0.0.1", ["6.6.6.6, 198.51.100.1, 10.16.0.1"], "10.16.0.1"),
            ("fd12::1", ["2001:db8::7"], "2001:db8:0:0::/64"),
            ("127.0.0.1", ["6.6.6.6, rubbish"], "127.0.0.1"),
            // xagent #1185: some proxies write the port, too.
            ("127.0.0.1", ["203.0.113.2:5678"], "203.0.113.2"),
            ("127.0.0.1", ["6.6.6.6:1, 203.0.113.2:5678,\t10.8.0.1:443 "], "203.0.113.2"),
            ("127.0.0.1", ["[2001:db8::7]:443"], "2001:db8:0:0::/64"),
            ("127.0.0.1", ["[2001:db8::7]"], "2001:db8:0:0::/64"),
            ("127.0.0.1", ["[2001:db8::7]:443, [fd12::1]:80"], "2001:db8:0:0::/64"),
            ("127.0.0.1", ["::ffff:203.0.113.2"], "203.0.113.2"),
        ]
        for (peer, forwarded, network) in table {
            let address = try SocketAddress(ipAddress: peer, port: 1)
            #expect(rule.network(of: address, forwarded: forwarded) == network, "\(peer) \(forwarded)")
        }
        for text in [
            "unknown", "203.0.113.2/32", "203.0.113.2:", "203.0.113.2:x", "203.0.113.2:70000", "[203.0.113.2]:80",
            "[2001:db8::7",
            "[2001:db8::7]80", "2001:db8::7]:80", ":80", "", "203.0.113.2:+80", "203.0.113.2 203.0.113.3",
        ] {
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
            #expect(rule.network(of: address, forwarded: ["203.0.113.9, \(text)"]) == "127.0.0.1", "\(text)")
        }
        #expect(rule.network(of: try SocketAddress(unixDomainSocketPath: "/s"), forwarded: ["1.2.3.4"]) == nil)
        for text in ["", "localhost", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129"] {
            #expect(throws: ProxyRule.Malformed.self) { try ProxyRule([text]) }
        }
    }
}
