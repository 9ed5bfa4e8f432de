import Hummingbird
import PushModel

/// The resources of the JPush REST API v3 that this version does not support; each responds with an error.
enum UnsupportedRoutes {
    private static func paths(_ family: APIFamily) -> [String] {
        switch family {
        case .push:
            [
                "v3/test/model/**"
            ]
        case .device, .schedule, .report, .file, .admin, .own: []
        }
    }

    static func add(_ family: APIFamily, to group: RouterGroup<APIContext>) {
        for path in paths(family) {
            for method in [HTTPRequest.Method.get, .post, .put, .delete] {
                group.on(RouterPath(path), method: method) { request, _ -> Response in
                    throw JPushError.notServed(
                        "\(method) \(request.uri.path) is not served by this version of Posthorn; nothing was done."
                    )
                }
            }
        }
    }
}
