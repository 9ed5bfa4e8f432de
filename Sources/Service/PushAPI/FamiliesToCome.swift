import HTTPTypes
import Hummingbird
import PushModel

/// The resources of the JPush REST API v3 that this version does not serve: each says so, none pretends.
enum FamiliesToCome {
    private static func paths(_ family: APIFamily) -> [String] {
        switch family {
        case .push:
            [
                "v3/push/template", "v3/push/template/**", "v3/push_plan/**", "v3/test/model/**",
                "v1/app", "v1/app/**",
            ]
        case .device, .schedule, .file, .operations: []
        case .report:
            [
                "v3/received", "v3/received/**", "v3/messages", "v3/messages/**", "v3/users", "v3/status/**",
                "v3/report/**",
                "v3/group/**",
            ]
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
