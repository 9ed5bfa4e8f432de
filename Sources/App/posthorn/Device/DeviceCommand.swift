import AppInstallation
import ArgumentParser
import DeviceLinkNIO
import Foundation
import NIOPosix
import PosthornStack
import PushClock
import PushDevice
import PushModel
import UnixSignals

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Runs an emulated iPhone, and controls a running one.",
        subcommands: [
            Run.self, OptionalID<Tap>.self, OptionalID<LongPress>.self, Act.self, Reply.self, OptionalID<Dismiss>.self,
            NoArgument<Clear>.self, NoArgument<Open>.self, NoArgument<Background>.self, NoArgument<Kill>.self,
            NoArgument<Lock>.self, NoArgument<Unlock>.self, NoArgument<Reboot>.self, NoArgument<Allow>.self,
            NoArgument<Deny>.self, OneArgument<Clock>.self, OneArgument<Location>.self,
            OneArgument<LocationAccess>.self, OneArgument<Zone>.self, OneArgument<Language>.self,
            OneArgument<Storefront>.self,
            OneArgument<Network>.self, Local.self, Summary.self, OneArgument<Focus>.self, Settings.self, Turn.self,
            Beacons.self, OneArgument<PreciseLocation>.self, OneArgument<Shortcut>.self, HandOff.self,
            NoArgument<MemoryWarning>.self, NoArgument<BackgroundFetch>.self, OneArgument<FinishSession>.self,
            OneArgument<TapAlert>.self, WriteInAlert.self, Call.self, LiveActivity.self, NoArgument<PlayPause>.self,
            OneArgument<OpenURL>.self, NoArgument<ShowScreen>.self,
        ],
        defaultSubcommand: Run.self
    )

    struct Run: AsyncParsableCommand, ServerProcess {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Runs a device (the default of 'posthorn device').",
            discussion: """
                Connects to a gateway's courier port, opens the app, lets it register with the service, returns to the home \
                screen, and prints what happens. Runs until SIGINT or SIGTERM.

                With --app the apps are programs of your own. Each runs as a process, which is suspended in the background and \
                killed when the app is swiped away. Their output appears on standard error, each line after the program's name.

                With --count there are many phones for load tests, without systems and apps: each keeps a courier link, \
                acknowledges its pushes and reports that some were opened. Prints a line when all have their tokens, and rates and \
                percentiles at the end.
                """
        )

        @Option(help: "URL of the gateway's courier link, such as ws://127.0.0.1:5223/courier.") var courier: String
        private static let usualLink = "ws://127.0.0.1:8080/link"
        @Option(help: "URL of the service's SDK link.") var link = Self.usualLink

        @Option(
            help: .file("Path of a PEM file with the authorities to trust for wss:// links, instead of the system's.")
        )
        var ca: String?

        @Option(help: "The app's key at the service (or POSTHORN_APP_KEY).") var appKey: String?
        @Option(help: "The app's bundle id.") var bundleID = "com.example.pushlab"

        @Option(help: "How the app was built: development or production; production if there is no --profile either.")
        var environment: APNSEnvironment?

        @Option(
            help: .file(
                "Path of the app's provisioning profile, from 'posthorn profile create'. It determines the app's build and the "
                    + "devices that may install it."
            )
        )
        var profile: String?

        @Option(help: "The device's UDID in provisioning profiles; random if not given.") var udid: String?
        @Option(help: "The device's name.") var name = "iPhone"
        @Option(name: [.customLong("os"), .customLong("ios")], help: "The emulated version of iOS.") var system = "17.0"
        @OptionGroup var own: ProgramOptions
        @OptionGroup var fleet: FleetOptions

        @Option(
            name: .customLong("id"),
            help: .id(
                "The device's id on the courier link, with --app. With the id of an earlier run, from its 'ready' line, it is the "
                    + "same device to the gateway. Random if not given."
            )
        )
        var deviceID: String?

        @Option(
            help: .folder(
                "A folder for what the apps store, with --app. A device that is started again with the same --id and folder has it "
                    + "still, even after kill -9. Kept in memory if not given."
            )
        )
        var appData: String?

        @Option(
            help: .token(
                "The token to send to --courier as 'Authorization: Bearer' (or POSTHORN_COURIER_TOKEN, which the process list "
                    + "does not show)."
            )
        )
        var courierToken: String?

        @Option(
            help: ArgumentHelp(
                "The key of --id, from the same 'ready' line (or POSTHORN_DEVICE_KEY, which the process list does not show). A "
                    + "gateway accepts an id only with the key it was first used with.",
                valueName: "key"
            )
        )
        var deviceKey: String?

        @Option(name: .customLong("tag"), help: "A tag for the device; may be repeated.") var tags: [String] = []
        @Option(help: "The alias of the device.") var alias: String?

        @Flag(
            help: """
                Let the sample app fetch URLs in pushes from this machine and its links too: 127.0.0.0/8, 169.254.0.0/16, ::1 and \
                fe80::/10.
                """
        )
        var fetchFromMachine = false

        @Flag(help: "Deny the permission prompt.") var deny = false
        @Flag(help: "Print a line of JSON for each event.") var json = false

        func validate() throws {
            for (flag, url) in [("--courier", courier), ("--link", link)]
            where !url.hasPrefix("ws://") && !url.hasPrefix("wss://") {
                throw ValidationError("\(flag) is '\(url)'; expected a URL that begins with ws:// or wss://.")
            }
            let isPlain =
                own.apps.isEmpty && tags.isEmpty && alias == nil && profile == nil && udid == nil && appKey == nil
                && !fetchFromMachine && !deny && name == "iPhone" && system == "17.0" && link == Self.usualLink
            try require(
                fleet.count == nil || isPlain,
                "--count is for phones without systems and apps; --app, --name, --os, --tag, --deny and others like them are for one phone."
            )
            try require(SystemProfile.exists(system), "--os is '\(system)'; expected \(SystemProfile.versions).")
            try require(
                own.apps.isEmpty || tags.isEmpty && alias == nil,
                "--tag and --alias are for the sample app; an app of your own sets them itself."
            )
            try require(
                !own.apps.isEmpty || appData == nil,
                "--app-data needs --app: the sample app keeps what it stores in memory."
            )
            try require(!own.apps.isEmpty || deviceID == nil, "--id is for apps of your own; give one with --app.")
            if let courierKey {
                try require(deviceID != nil, "--device-key belongs to --id, which is missing.")
                try require(
                    courierKey.wholeMatch(of: /[0-9a-f]{64}/) != nil,
                    "The device key has \(courierKey.count) characters; expected 64 hexadecimal digits in lower case."
                )
            }
            try require(
                environment == nil || profile == nil,
                "--environment and --profile both say how the app was built; give one of them."
            )
        }

        func run() async throws {
            let clock = TurnableClock()
            if let count = fleet.count {
                try await runFleet(of: count)
            } else if own.apps.isEmpty {
                let phone = try makePhone(clock)
                defer { phone.switchOff() }
                try await run(phone.device, apps: [bundleID], clock: clock) { try await use(phone) }
            } else {
                let phone = try makeProgramPhone(clock)
                try await run(phone.device, apps: phone.apps.map(\.bundleID), clock: clock) { try await use(phone) }
            }
        }

        /// Runs a device and its control endpoint until a signal.
        ///
        /// - Parameters:
        ///   - device: the device, which is switched off at the end.
        ///   - apps: the bundle ids of its apps; orders that name none go to the first.
        ///   - clock: the device's clock.
        ///   - use: the user's actions on the new device.
        /// - Throws: the errors of `use`, and any that keep the device from running.
        private func run(
            _ device: PushDevice.Device,
            apps: [String],
            clock: TurnableClock,
            use: @escaping @Sendable () async throws -> Void
        ) async throws {
            let control = DeviceControl(name: name) { [courier] order, app in
                guard let app = app ?? apps.first, apps.contains(app) else {
                    throw ValidationError(
                        "The device has no app '\(app ?? "")'; it has \(apps.joined(separator: ", "))."
                    )
                }
                return try await order.perform(on: device, app: app, courier: courier, clock: clock)
            }
            device.setPrompts(deny ? .deny : .allow)
            do {
                try await withServices(
                    [PhoneService(device), control],
                    signals: [.sigint, .sigterm],
                    logger: LogOptions.quiet
                ) {
                    Output.endsGracefully()
                    // An order may follow the first line.
                    try await control.whenReady()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            for await deviceEvent in device.deviceEvents(replaying: true) { tell(deviceEvent) }
                        }
                        group.addTask { try await use() }
                        group.addTask { try await noteSilence(of: device) }
                        // The first failure ends the others; 'waitForAll' would wait for the printing task.
                        while try await group.next() != nil {}
                    }
                }
            } catch is CancellationError {
                // A signal ended the run.
            }
        }

        /// Runs phones without apps until a signal, and prints their figures.
        private func runFleet(of count: Int) async throws {
            try fleet.checkLimits(of: count, at: courier)
            let before = FleetOptions.residentBytes
            let dialers = try fleet.sources(of: count, at: courier).map { source in
                var dialer = try makeDialer()
                dialer.source = source
                return dialer
            }
            let phones = PhoneFleet(
                count: count,
                topic: bundleID,
                environment: environment ?? .production,
                behaviour: fleet.behaviour,
                sentAt: fleet.sentAt,
                url: courier,
                clock: SystemClock(),
                tell: { [self] in tell(["event": "disconnected", "reason": $0]) }
            ) { dialers[$0 % dialers.count] }
            do {
                try await withServices(
                    [FleetService(phones)],
                    signals: [.sigint, .sigterm],
                    logger: LogOptions.quiet
                ) {
                    Output.endsGracefully()
                    try await phones.whenReady()
                    try fleet.write(phones.tokens)
                    let bytes = max(0, FleetOptions.residentBytes - before) / count
                    tell(["event": "ready", "phones": count, "bytesPerPhone": bytes])
                    try await untilCancelled()
                }
            } catch is CancellationError {
                // A signal ended the run.
            }
            tell(phones.figures.json)
        }

        /// Prints figures, as one line of JSON or as a line for each.
        private func tell(_ figures: JSONMembers) {
            guard !json else { return printJSON(figures) }
            for member in figures.json.members {
                printLine("\(member.key): \(member.value.string ?? member.value.text)")
            }
        }

        private var key: String? { appKey ?? EnvironmentSettings["POSTHORN_APP_KEY"] }

        private var courierKey: String? { deviceKey ?? EnvironmentSettings["POSTHORN_DEVICE_KEY"] }

        private func makeDialer() throws -> WebSocketDialer {
            let token = courierToken ?? EnvironmentSettings["POSTHORN_COURIER_TOKEN"]
            return try WebSocketDialer(
                group: MultiThreadedEventLoopGroup.singleton,
                authorities: try ca.map { try authorities($0, "--ca") },
                key: token.map { WebSocketDialer.Key(url: courier, token: $0) }
            )
        }

        private func makeProgramPhone(_ clock: any CivilClock) throws -> ProgramPhone {
            let programs = try own.programs(environment: environment ?? .production, link: link, appKey: key)
            return try installed { (file, dialer) throws(ProvisioningProfile.Refusal) in
                try ProgramPhone(
                    name: name,
                    system: system,
                    programs: programs,
                    clock: clock,
                    dialer: dialer,
                    id: deviceID,
                    key: courierKey,
                    profile: file,
                    udid: udid,
                    appData: appData.map { URL(filePath: $0, directoryHint: .isDirectory) }
                ) { printNote($0) }
            }
        }

        private func makePhone(_ clock: any CivilClock) throws -> PushLabPhone {
            guard let key else { throw ValidationError("--app-key is missing; 'posthorn app create' makes one.") }
            return try installed { (file, dialer) throws(ProvisioningProfile.Refusal) in
                try PushLabPhone(
                    name: name,
                    system: system,
                    appKey: key,
                    bundleID: bundleID,
                    environment: environment ?? .production,
                    link: link,
                    clock: clock,
                    dialer: dialer,
                    network: PhoneNetwork(reachesMachine: fetchFromMachine),
                    profile: file,
                    udid: udid
                )
            }
        }

        /// Makes a phone by the app's profile.
        private func installed<Phone>(
            _ make: (ProvisioningProfile?, WebSocketDialer) throws(ProvisioningProfile.Refusal) -> Phone
        ) throws -> Phone {
            let file = try profile.map { try ProvisioningProfile(path: $0) }
            let dialer = try makeDialer()
            do throws(ProvisioningProfile.Refusal) { return try make(file, dialer) } catch {
                throw ValidationError("The app is not installed. \(error)")
            }
        }

        /// Prints a note once if the gateway does not answer; the device keeps trying.
        private func noteSilence(of device: PushDevice.Device) async throws {
            let isContent = try await withTimeout(.seconds(3)) {
                // This also returns when the phone is switched off first; then there is nothing to report.
                _ = await device.first { $0.kind == .connected }
                return true
            }
            guard isContent == nil, !Task.isCancelled else { return }
            printNote("The gateway at \(courier) does not answer; is 'posthorn gateway' running there? Still trying.")
        }

        /// Performs the user's first actions on a new phone with the sample app.
        private func use(_ phone: PushLabPhone) async throws {
            phone.device.connect(courier: courier)
            phone.device.open(bundleID)
            let registrationID = try await phone.registrationID()
            if !tags.isEmpty || alias != nil { try await phone.set(tags: Set(tags), alias: alias) }
            let token = await phone.device.first(where: \.endsRegistration)
            // A push that is sent after the line is printed finds the token at the service.
            await phone.awaitService()
            phone.device.background(bundleID)
            await phone.device.settled()
            if json {
                var object: JSONMembers = ["event": "registered", "registrationID": registrationID.text]
                if case .tokenReceived(let token, _) = token?.kind { object["token"] = token }
                printJSON(object)
            } else {
                printLine("registered: registration id \(registrationID)")
            }
        }

        /// Performs the user's first actions on a new phone with programs as apps.
        private func use(_ phone: ProgramPhone) async throws {
            phone.device.connect(courier: courier)
            for app in phone.apps {
                let opening = try await phone.open(app)
                phone.device.background(app.bundleID)
                _ = await phone.device.settledInTime()
                tell(opening, of: app)
            }
            guard json else { return }
            printJSON(["event": "ready", "id": phone.device.id, "key": phone.device.key])
        }

        private func tell(_ opening: ProgramPhone.Opening, of app: InstalledApp) {
            var object: JSONMembers = ["event": "opened", "app": app.bundleID]
            var line = "opened: \(app.bundleID)"
            if case .registered(let token) = opening {
                object["event"] = "registered"
                object["token"] = token.hexadecimal
                line = "registered: \(app.bundleID) has device token \(token.hexadecimal)"
            }
            printLine(json ? object.json.text : line)
        }

        private func tell(_ deviceEvent: DeviceEvent) {
            let words = deviceEvent.printedWords
            guard json else {
                return printLine("\(deviceEvent.date.formatted(.iso8601))  \(words.event)  \(words.detail.printed)")
            }
            var object: JSONMembers = ["event": words.event, "at": deviceEvent.date]
            if let app = deviceEvent.app { object["app"] = app }
            object["detail"] = words.detail
            if let apnsID = words.apnsID { object["apnsID"] = apnsID }
            printJSON(object)
        }
    }
}

extension DeviceEvent {
    /// Whether the app has received its token, or an error instead.
    fileprivate var endsRegistration: Bool {
        switch kind {
        case .tokenReceived: true
        case .callback(let name, _, _): name.hasPrefix("application(_:didFailToRegisterForRemoteNotifications")
        default: false
        }
    }

    /// The event's words, with the ids and states that a line of output names too.
    fileprivate var printedWords: (event: String, detail: String, apnsID: String?) {
        var detail = kind.detail
        var id = kind.notification
        switch kind {
        case .pushArrived(let apnsID): detail = apnsID
        case .tapped(let id), .dismissed(let id): detail = id
        case .bannerShown(let shown), .listed(let shown):
            detail = "\(shown.title) · \(shown.body)"
            id = shown.apnsID
        case .callback(let name, let state, _): detail = "\(name) \(state.rawValue)"
        default: break
        }
        return (kind.name, detail, id)
    }
}
