import HTTPTypes
import Hummingbird
import PushModel

/// The resources of the JPush REST API v3 that this version does not serve: each says so, none pretends.
enum FamiliesToCome {
    private static let paths = [
        "v3/push/**", "v3/grouppush", "v3/grouppush/**", "v3/schedules", "v3/schedules/**", "v3/devices",
        "v3/devices/**",
        "v3/device/**", "v3/tags", "v3/tags/**", "v3/aliases/**", "v3/received", "v3/received/**", "v3/messages",
        "v3/messages/**", "v3/users", "v3/status/**", "v3/report/**", "v3/group/**", "v3/files", "v3/files/**",
        "v3/images/**", "v1/app", "v1/app/**",
    ]

    static func add(to group: RouterGroup<APIContext>) {
        for path in paths {
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
