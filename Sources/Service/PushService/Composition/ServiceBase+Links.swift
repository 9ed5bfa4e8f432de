// What devices and other nodes reach.
extension ServiceBase {
    func makeRegistrations() -> RegistrationController {
        RegistrationController(
            store: store,
            registry: registry,
            others: others,
            clock: clock,
            calendar: calendar,
            logger: logger,
            router: router,
            registrations: RegistrationRates(settings),
            calls: RegistrationRates(settings, times: RegistrationController.callsPerRegistration),
            settings: settings
        )
    }

    func makeLinks(_ registrations: RegistrationController) -> SDKLinkServer {
        let controller = SDKLinkController(
            store: store,
            registry: registry,
            clock: clock,
            calendar: calendar,
            logger: logger,
            router: router,
            log: journeyLog,
            registrations: registrations
        )
        return SDKLinkServer(
            controller: controller,
            router: router,
            rules: settings.value.link,
            metrics: metrics,
            logger: logger
        )
    }

    func makeJourneys() -> JourneyQueries {
        JourneyQueries(
            store: store,
            registry: registry,
            others: others,
            log: journeyLog,
            apnsIDs: apnsIDs,
            clock: clock
        )
    }

    func makeSharedRates() -> SharedRates? {
        ports.node.map { SharedRates(store: $0.store, membership: $0.membership, logger: logger) }
    }

    func makeNode(_ readiness: Readiness) -> NodeRunner? {
        peers.map { NodeRunner($0, self, readiness: readiness) }
    }
}
