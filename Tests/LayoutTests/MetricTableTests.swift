import Foundation
import Testing

/// A dashboard is built from the tables, so they have every metric, and no other.
@Suite("Tables of metrics")
struct MetricTableTests {
    private static let documents = ["Documentation/Operations/Watch.md", "Documentation/Gateway.md"]

    /// `name kind` for each row such as "| `apns.client.pushes` | counter |".
    private static func listed() throws -> [String] {
        try documents.flatMap { document in
            let text = try #require(SourceTree.text(of: document))
            return text.matches(of: #/(?m)^\| `([a-z.]+)` \| (counter|gauge|recorder|timer) \|/#).map {
                "\($0.1) \($0.2)"
            }
        }
    }

    private static func made() throws -> Set<String> {
        let folder = SourceTree.root.appending(path: "Sources").path
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        let texts = files.filter { $0.hasSuffix("Metrics.swift") }.compactMap { SourceTree.text(of: "Sources/\($0)") }
        return Set(
            texts.flatMap { text in
                text.matches(of: #/\b(Counter|Gauge|Recorder|Timer)\(\s*label: "([a-z.]+)"/#).map {
                    "\($0.2) \($0.1.lowercased())"
                }
            }
        )
    }

    @Test("Every metric is in a table, once, as what it is; every row is a metric")
    func complete() throws {
        let listed = try Self.listed()
        let made = try Self.made()
        #expect(Set(listed) == made, "\(Set(listed).symmetricDifference(made).sorted())")
        #expect(listed.count == Set(listed).count)
        #expect(made.contains { $0.hasPrefix("push.") })
    }

    @Test("Only files that the tables are checked against make metrics")
    func files() throws {
        // The exporter makes handlers, and `serve` sets it up.
        let exempt = ["Service/PrometheusExport/", "App/posthorn/Servers/Serve.swift"]
        let makers = SourceTree.sources.flatMap(\.imports).filter { ["Metrics", "CoreMetrics"].contains($0.module) }
        let others = makers.filter { maker in
            !maker.file.hasSuffix("Metrics.swift") && !exempt.contains { maker.file.contains($0) }
        }
        #expect(others.map(\.description) == [])
    }

    @Test("Every metric of the service has a help text")
    func help() throws {
        let text = try #require(SourceTree.text(of: "Sources/Model/CWords/English/metrics.json"))
        let helped = Set(text.matches(of: #/(?m)^ +"([a-z.]+)": "/#).map { String($0.1) })
        let service = try Self.made().map { String($0.prefix { $0 != " " }) }.filter {
            !$0.hasPrefix("apns.server.") && !$0.hasPrefix("device.")
        }
        #expect(helped == Set(service), "\(helped.symmetricDifference(service).sorted())")
    }

    @Test("The dashboard asks for metrics that there are")
    func dashboard() throws {
        let suffixes = ["counter": "_total", "timer": "_seconds"]
        let names = try Self.made().map { (entry: String) -> String in
            let parts = entry.split(separator: " ").map(String.init)
            return parts[0].replacing(".", with: "_") + (suffixes[parts[1]] ?? "")
        }
        let text = try #require(SourceTree.text(of: "Documentation/grafana.json"))
        let asked = Set(
            text.matches(of: #/\b((?:push|apns)_[a-z_]+?)(?:_bucket|_sum|_count)?[{,]/#).map { String($0.1) }
        )
        #expect(asked.count > 12, "\(asked.sorted())")
        #expect(asked.subtracting(names).sorted() == [])
    }
}
