/// A key of the settings of `posthorn serve`.
///
/// | key | type | default | meaning |
/// | --- | --- | --- | --- |
/// | `data` | path | `posthorn-data` | the folder for database and keys |
/// | `store` | URL | none | a PostgreSQL database (`postgres://USER@HOST/DATABASE`) instead of SQLite in `data`; for several nodes |
/// | `node` | 1 to 32767 | a free one | the number of this node among those of `store` |
/// | `postgres.connections` | 2 to 200 | 8 | the maximum number of connections of this node to `store`, besides two for its membership and notifications |
/// | `http.host` | text | `127.0.0.1` | the address to listen on |
/// | `http.port` | 0 to 65535 | 8080 | 0 takes a free port |
/// | `http.cert` | path | none | the server's certificate and its chain, PEM: https and wss instead of http and ws |
/// | `http.key` | path | none | the key of `http.cert`, PEM |
/// | `http.hostNames` | list of names | none | while listening on the loopback, further names accepted in `Host`, such as the one a proxy uses |
/// | `http.proxies` | list of addresses | none | proxies such as `127.0.0.1` and `10.0.0.0/8`, whose `X-Forwarded-For` is trusted |
/// | `http.connections` | 1 to 1000000 | 100000 | the maximum number of open connections, including links |
/// | `http.connectionsPerAddress` | 1 to 1000000 | 10000 | the maximum number of open connections from one address |
/// | `http.requestSeconds` | 1 to 3600 | 120 | the timeout for receiving a whole request, in seconds |
/// | `http.answerSeconds` | 1 to 3600 | 120 | the timeout for the client to read a response, in seconds |
/// | `http.drainSeconds` | 0 to 300 | 0 | seconds for which a service that ends still answers, with 503 at `/ready` |
/// | `http.failedLogins` | 1 to 1000000 | 30 | failed logins allowed from one address in a minute |
/// | `http.callsPerMinute` | 1 to 10000000 | JPush's | calls an app may make in 60 seconds, in each family of the API |
/// | `operator.token` | text | none | the token with which operators use the service from other machines; 20 characters or more |
/// | `operator.changesPerMinute` | 1 to 1000000 | 600 | changes that an operator, or a user of the portal, may make in a minute |
/// | `metrics.token` | text | none | the token with which Prometheus reads `/metrics`; 20 characters or more. The operator token can as well |
/// | `portal.devicesWithoutPassword` | 0 to 100000000 | 1000 | devices up to which a user of the portal may push without having given the password in the last five minutes |
/// | `timeZone` | IANA name | UTC+8 | the time zone for times in responses and in schedules |
/// | `push.broadcastsPerDay` | 1 to 1000000 | no limit | pushes to `"all"` that an app may make in a day |
/// | `push.tags` | 1 to 100000000 | 1000000 | the maximum number of different tags of an app |
/// | `push.waitingMessages` | 1 to 1000 | 5 | the maximum number of custom messages that wait for a device |
/// | `callback.networks` | list of addresses | none | networks such as `10.0.0.0/8`, besides the public internet, to which callbacks are sent |
/// | `callback.proxy` | URL | none | an HTTP proxy to callback addresses, such as `http://USER:PASSWORD@HOST:PORT` |
/// | `callback.waiting` | 1 to 10000000 | 200000 | the maximum number of rows of callback events of an app that wait |
/// | `link.origins` | list of origins | none | web pages that may open the SDK link, such as `https://console.example.com` |
/// | `link.registrationsPerMinute` | 0 to 10000000 | 600 | registrations of an app accepted from one address in a minute; 0 for no limit |
/// | `link.tags` | 1 to 100000000 | 100000 | the maximum number of different tags of an app that only devices have brought |
/// | `schedules.catchUp` | 0 to 604800 | 3600 | seconds by which a scheduled push may be late after the service was down |
/// | `retention.messages` | 1 to 3650 | 31 | days for which a push is kept after its last delivery, with statistics and journeys |
/// | `retention.schedules` | 1 to 3650 | 31 | days for which a schedule is kept after its end |
/// | `retention.devices` | 255 to 36500 | 255 | days for which a device is kept after it was last seen |
/// | `retention.users` | 62 to 3650 | 92 | days for which user counts are kept |
/// | `retention.changes` | 1 to 31 | 1 | days for which the nodes of `store` keep their changes for each other |
/// | `retention.events` | 0 to 3650 | 0 | days for which the events of apps are kept for `GET /posthorn/v1/events`; 0 for none |
/// | `retention.audit` | 1 to 3650 | 90 | days for which entries of the audit log beyond the newest 100,000 are kept |
/// | `log.level` | level | `notice` | the least severe entries of the log: `trace`, `debug`, `info`, `notice`, `warning`, `error`, `critical` |
/// | `log.format` | text or json | `text` | the form of the log; json is an object per line |
/// | `tracing.endpoint` | URL | none | an OpenTelemetry collector for the spans of requests and pushes, such as `http://127.0.0.1:4318` |
/// | `tracing.percent` | 0 to 100 | 100 | the percentage of traces beginning here that are recorded |
/// | `apns.host` | text | Apple | a gateway instead of Apple's service |
/// | `apns.developmentPort` | 1 to 65535 | 443 | its port for development |
/// | `apns.productionPort` | 1 to 65535 | 443 | its port for production |
/// | `apns.ca` | path | the system's | the authority to trust for `apns.host`, PEM |
/// | `apns.proxy` | URL | none | an HTTP proxy to APNs, such as `http://USER:PASSWORD@HOST:PORT` |
/// | `apns.events` | URL | none | the journey events of Posthorn's gateway (`ws://HOST:PORT/events`) |
/// | `apns.eventsToken` | text | none | the token that the gateway requires there (its `--courier-token`) |
enum SettingKey: String, CaseIterable {
    case data
    case store
    case node
    case postgresConnections = "postgres.connections"
    case httpHost = "http.host"
    case httpPort = "http.port"
    case httpCert = "http.cert"
    case httpKey = "http.key"
    case httpHostNames = "http.hostNames"
    case httpProxies = "http.proxies"
    case httpConnections = "http.connections"
    case httpConnectionsPerAddress = "http.connectionsPerAddress"
    case httpRequestSeconds = "http.requestSeconds"
    case httpAnswerSeconds = "http.answerSeconds"
    case httpDrainSeconds = "http.drainSeconds"
    case httpFailedLogins = "http.failedLogins"
    case httpCallsPerMinute = "http.callsPerMinute"
    case operatorToken = "operator.token"
    case operatorChangesPerMinute = "operator.changesPerMinute"
    case metricsToken = "metrics.token"
    case portalDevicesWithoutPassword = "portal.devicesWithoutPassword"
    case timeZone
    case pushBroadcastsPerDay = "push.broadcastsPerDay"
    case pushTags = "push.tags"
    case pushWaitingMessages = "push.waitingMessages"
    case callbackNetworks = "callback.networks"
    case callbackProxy = "callback.proxy"
    case callbackWaiting = "callback.waiting"
    case linkOrigins = "link.origins"
    case linkRegistrationsPerMinute = "link.registrationsPerMinute"
    case linkTags = "link.tags"
    case schedulesCatchUp = "schedules.catchUp"
    case retentionMessages = "retention.messages"
    case retentionSchedules = "retention.schedules"
    case retentionDevices = "retention.devices"
    case retentionUsers = "retention.users"
    case retentionChanges = "retention.changes"
    case retentionEvents = "retention.events"
    case retentionAudit = "retention.audit"
    case logLevel = "log.level"
    case logFormat = "log.format"
    case tracingEndpoint = "tracing.endpoint"
    case tracingPercent = "tracing.percent"
    case apnsHost = "apns.host"
    case apnsDevelopmentPort = "apns.developmentPort"
    case apnsProductionPort = "apns.productionPort"
    case apnsCa = "apns.ca"
    case apnsProxy = "apns.proxy"
    case apnsEvents = "apns.events"
    case apnsEventsToken = "apns.eventsToken"
}
