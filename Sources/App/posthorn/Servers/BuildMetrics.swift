import Metrics

/// The metric that names the program which runs, reported through swift-metrics.
///
/// * `push.build.info`: always 1, with `push.version`, the version, and `push.build` (`release`, `debug`).
enum BuildMetrics {
    static func record() {
        let build = BuildKind.isDebug ? "debug" : "release"
        Gauge(label: "push.build.info", dimensions: [("push.version", Posthorn.version), ("push.build", build)]).record(
            1
        )
    }
}
