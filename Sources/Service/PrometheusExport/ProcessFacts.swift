import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The memory, processor time and open files of this process, under the names that Prometheus's own clients use.
///
/// Sources: Prometheus, "Writing client libraries", "Process metrics"; proc(5). Empty where there is no `/proc`.
enum ProcessFacts {
    static func families() -> [MetricFamily] {
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8) else { return [] }
        // The name of the program is in brackets, and may have spaces.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ").dropFirst().map(
            String.init
        )
        // The first of these is field 3 of proc(5).
        func field(_ number: Int) -> Double? { fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        let page = Double(sysconf(Int32(_SC_PAGESIZE)))
        var families: [MetricFamily] = []
        func add(_ name: String, _ kind: MetricFamily.Kind, help: String, value: Double?) {
            guard let value else { return }
            let series = NumberSeries()
            series.set(value)
            families.append(MetricFamily(name: name, help: help, kind: kind, series: ["": series]))
        }
        let used = field(14).flatMap { user in field(15).map { ($0 + user) / ticks } }
        add("process_cpu_seconds", .counter, help: "Processor time that the process has used, in seconds.", value: used)
        add("process_virtual_memory_bytes", .gauge, help: "Virtual memory of the process, in bytes.", value: field(23))
        add(
            "process_resident_memory_bytes",
            .gauge,
            help: "Resident memory of the process, in bytes.",
            value: field(24).map { $0 * page }
        )
        let started = field(22).flatMap { since in bootTime.map { $0 + since / ticks } }
        add(
            "process_start_time_seconds",
            .gauge,
            help: "The time at which the process started, in seconds since 1970.",
            value: started
        )
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        add("process_open_fds", .gauge, help: "Open file descriptors.", value: open.map { Double($0) })
        add("process_max_fds", .gauge, help: "The maximum number of open file descriptors.", value: mostFiles)
        return families
    }

    private static var mostFiles: Double? {
        let limits = try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)
        let line = limits?.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.dropFirst("Max open files".count).split(separator: " ").first.flatMap { Double($0) }
    }

    /// The time at which the machine started, in seconds since 1970.
    private static let bootTime: Double? = {
        guard let stat = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        let line = stat.split(separator: "\n").first { $0.hasPrefix("btime ") }
        return line.flatMap { Double($0.dropFirst("btime ".count)) }
    }()
}
