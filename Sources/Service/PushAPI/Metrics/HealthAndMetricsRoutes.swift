import Hummingbird
import PrometheusExport
import PushModel
import PushService

/// `GET /health`, whether the process answers; `GET /ready`, whether the service can do its work.
struct HealthRoutes: Sendable {
    let readiness: Readiness

    func add(to router: Router<APIContext>) {
        router.get("health") { _, _ in Response(json: ["status": "ok"]) }
        router.refuseMethods(besides: [.get], at: "health")
        router.get("ready") { [readiness] _, _ in
            let report = await readiness.report()
            return Response(report.isReady ? .ok : .serviceUnavailable, json: report.json)
        }
        router.refuseMethods(besides: [.get], at: "ready")
    }
}

/// `GET /metrics`, which a Prometheus server reads.
struct MetricsRoutes: Sendable {
    let factory: PrometheusMetricsFactory?

    func add(to group: RouterGroup<APIContext>) {
        group.get("metrics") { [factory] request, _ in
            guard let factory else { return Response(OperatorError(.notFound, "This service collects no metrics.")) }
            let format = PrometheusFormat(accept: request.headers[.accept])
            return Response(
                status: .ok,
                headers: [.contentType: format.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: factory.page(format)))
            )
        }
        group.refuseMethods(besides: [.get], at: "metrics")
    }
}
