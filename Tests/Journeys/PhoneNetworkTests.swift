import Foundation
import PushLabNetwork
import PushModel
import TestSupport
import Testing

@testable import PosthornStack

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Requests of an emulated phone", .suiteLimit)
@MainActor
struct PhoneNetworkTests {
    private func fetch(
        _ url: String,
        _ network: PhoneNetwork,
        limit: Int = 1000
    ) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await network.fetch(URLRequest(url: try #require(URL(string: url))), limit)
        return (data, try #require(response as? HTTPURLResponse))
    }

    @Test("Nothing is fetched from the machine, by whatever name, and no connection is opened to it")
    func refuses() async throws {
        try await FileServer.run { server in
            server.set("/cat", Data("Meow".utf8))
            let url = server.url("/cat")
            // A name is looked at where it leads.
            for host in ["127.0.0.1", "localhost", "0.0.0.0", "127.1"] {
                let error = await #expect(throws: MachineAddressRefused.self) {
                    try await fetch(url.replacing("127.0.0.1", with: host), PhoneNetwork())
                }
                #expect(error?.description.hasPrefix("'\(host)' is at ") == true)
                #expect(error?.description.contains("--fetch-from-machine") == true)
            }
            #expect(server.requests.isEmpty)
            let (data, response) = try await fetch(url, PhoneNetwork(reachesMachine: true))
            #expect(data == Data("Meow".utf8))
            #expect((response.statusCode, response.mimeType) == (200, "text/plain"))
        }
    }

    @Test("Redirections are followed, and each is looked at")
    func redirections() async throws {
        try await FileServer.run { server in
            server.set("/cat", Data("Meow".utf8))
            let (data, _) = try await fetch(server.url("/moved/cat"), PhoneNetwork(reachesMachine: true))
            #expect(data == Data("Meow".utf8))
            #expect(server.requests == ["GET /moved/cat", "GET /cat"])
            let other = server.url("/cat").replacing("127.0.0.1", with: "127.0.0.2")
            let network = PhoneNetwork(refusing: { $0 == IPAddress("127.0.0.2") })
            let error = await #expect(throws: MachineAddressRefused.self) {
                try await fetch(server.url("/away/\(other)"), network)
            }
            #expect(error?.address == "127.0.0.2")
            await #expect(throws: URLError.self) {
                try await fetch(server.url("/away/file:///etc/passwd"), PhoneNetwork(reachesMachine: true))
            }
        }
    }

    @Test("No more is read than is wanted")
    func limit() async throws {
        try await FileServer.run { server in
            server.set("/large", Data(count: 1001))
            for path in ["/large", "/endless"] {
                await #expect(throws: HTTPExchange.TooLarge(limit: 1000)) {
                    try await fetch(server.url(path), PhoneNetwork(reachesMachine: true))
                }
            }
        }
    }
}

/// The sample app as it is on an iPhone: with Foundation's network, and a list of hosts.
@Suite("PushLab fetches from the hosts of its Info.plist", .suiteLimit)
@MainActor
struct AllowedHostsTests {
    @Test("A host is allowed by its name, or by the name above it")
    func names() throws {
        let hosts = AllowedHosts(["Example.com", "*.example.org"])
        let cases = [
            ("https://example.com/a", true), ("http://EXAMPLE.COM:8080/", true), ("https://a.example.com/", false),
            ("https://example.com.evil.net/", false), ("https://evilexample.com/", false),
            ("https://a.b.example.org/", true),
            ("https://example.org/", false), ("https://evilexample.org/", false), ("https://127.0.0.1/", false),
            ("https://example.com@evil.net/", false), ("file:///etc/passwd", false),
        ]
        for (url, isAllowed) in cases { #expect(hosts.allows(URL(string: url)) == isAllowed, "\(url)") }
        #expect(!AllowedHosts([]).allows(URL(string: "https://example.com")))
        #expect(AllowedHosts.main == AllowedHosts([]), "This process has no Info.plist.")
        #expect(AllowedHosts(variable: nil, declared: ["a.com"]) == AllowedHosts(["a.com"]))
        #expect(AllowedHosts(variable: "b.com, *.c.com", declared: ["a.com"]) == AllowedHosts(["b.com", "*.c.com"]))
        #expect(AllowedHosts(variable: "", declared: ["a.com"]) == AllowedHosts([]))
    }

    @Test("Another host is not asked, and a redirection to one is not followed")
    func refuses() async throws {
        try await FileServer.run { server in
            server.set("/cat", Data("Meow".utf8))
            let cat = try #require(URL(string: server.url("/cat")))
            let elsewhere = BoundedFetch.network(from: AllowedHosts(["example.com"]))
            await #expect(throws: AllowedHosts.Refused(host: "127.0.0.1")) {
                try await elsewhere(URLRequest(url: cat), 10)
            }
            #expect(server.requests.isEmpty)
            let here = BoundedFetch.network(from: AllowedHosts(["127.0.0.1"]))
            #expect(try await here(URLRequest(url: cat), 10).0 == Data("Meow".utf8))
            // The same server under a name that is not in the list.
            let other = server.url("/cat").replacing("127.0.0.1", with: "localhost")
            let away = try #require(URL(string: server.url("/away/\(other)")))
            await #expect(throws: AllowedHosts.Refused(host: "localhost")) { try await here(URLRequest(url: away), 10) }
            #expect(server.requests == ["GET /cat", "GET /away/\(other)"])
        }
    }
}
