import DeviceLink
import SystemPort

// From the app's store and its `setup` to the first link.

extension JPushState {
    /// Takes the contents of the app's store: the SDK has an identity, or has none yet.
    mutating func loaded(_ stored: Stored, _ facts: AppFacts) {
        guard self.stored == nil else { return }
        self.stored = stored
        self.facts = facts
        if isExtension {
            receipts.join(stored.fromExtension)
            return begin()
        }
        isStopped = stored.identity?.isStopped ?? false
        inApp = stored.inApp
        receipts.join(stored.receipts)
        if !stored.fromExtension.waiting.isEmpty {
            for receipt in stored.fromExtension.waiting { _ = receipts.add(receipt) }
            // An extension writing at this very moment loses its receipt: its own link has failed by then.
            add(.save(.receipts, receipts.text))
            add(.save(.extensionReceipts, nil))
        }
        durable = stored.requests
        for operation in early where operation.isDurable { durable.add(operation.request, as: operation.number) }
        if !early.isEmpty { add(saveDurable()) }
        begin()
        showInApp()
    }

    mutating func setUp(_ setup: Setup) {
        guard self.setup == nil else { return }
        guard !setup.appKey.isEmpty else { return refuse(Self.malformedKey, "JPUSHService.setup needs an app key") }
        self.setup = setup
        begin()
    }

    /// Starts once `setup` has been called and the store has been read.
    private mutating func begin() {
        guard let setup, let stored, let facts, link == nil, refusal == nil else { return }
        guard facts.info[Self.linkKey]?.string != nil else {
            let reason = "the app's Info.plist has no '\(Self.linkKey)', the URL of the service's SDK link"
            return refuse(Self.noRegistrationID, reason)
        }
        if setup.environment != facts.environment, !isExtension {
            complain("apsForProduction says \(setup.environment), and the app is signed for \(facts.environment)")
        }
        installation = stored.identity?.installation ?? random.uuid()
        let registration = SDKRegistration(
            appKey: setup.appKey,
            bundleID: facts.bundleID,
            channel: setup.channel,
            environment: setup.environment,
            system: "iOS \(facts.systemVersion)",
            installation: installation,
            zone: facts.timeZone,
            appVersion: facts.info["CFBundleShortVersionString"]?.string
        )
        // A different app key is a different app: the identity does not apply to it.
        let identity = stored.identity?.appKey == setup.appKey ? stored.identity?.identity : nil
        if isExtension, identity == nil {
            return refuse(Self.noRegistrationID, "the app is not registered under this app key")
        }
        let position = stored.position.flatMap { $0.registrationID == identity?.registrationID ? $0.position : nil }
        var link = SDKLinkClient(
            registration: registration,
            identity: identity,
            position: position,
            takesMessages: !isExtension
        )
        if identity == nil { add(save(nil)) }
        if let token { _ = link.setToken(token, environment: setup.environment) }
        self.link = link
        // Unanswered requests of an earlier process come first.
        let known = Set(early.map(\.number))
        for (number, request) in durable.requests where !known.contains(number) {
            send(Operation(number: number, request: request, deadline: .never))
        }
        let operations = early
        early = []
        for operation in operations { send(operation) }
        sendReceipts()
        if identity != nil { announce() }
        adjustLink()
    }
}
