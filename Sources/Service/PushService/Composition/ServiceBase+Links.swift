// What devices and other nodes reach, made of the parts of the service.

extension RegistrationController {
    init(_ base: ServiceBase, _ acceptor: PushAcceptor) {
        store = base.store
        registry = base.registry
        others = base.others
        router = base.router
        self.acceptor = acceptor
        clock = base.clock
        calendar = base.calendar
        settings = base.settings
        logger = base.logger
        journeyWatch = base.journeyLog.watch
        spans = base.journeyLog.spans
        registrations = RegistrationRates(settings)
        calls = RegistrationRates(settings, times: Self.callsPerRegistration)
    }
}

extension SDKLinkController {
    init(_ base: ServiceBase, _ registrations: RegistrationController) {
        store = base.store
        registry = base.registry
        router = base.router
        log = base.journeyLog
        clock = base.clock
        calendar = base.calendar
        logger = base.logger
        self.registrations = registrations
    }
}

extension JourneyQueries {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        others = base.others
        log = base.journeyLog
        apnsIDs = base.apnsIDs
        clock = base.clock
    }
}
