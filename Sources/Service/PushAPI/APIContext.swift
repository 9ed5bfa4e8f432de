import Hummingbird
import Logging
import PushService

/// What is known of a request: the caller, once it has proved itself.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var app: App?
    var group: AppGroup?
    var developer: Developer?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }
}
