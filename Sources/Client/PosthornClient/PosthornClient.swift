import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An app's connection with a Posthorn service: it registers the device, keeps its tokens, tags and alias, and reports what
/// became of pushes.
///
/// All calls return at once, from any thread. What cannot be sent now waits in the store and is sent later, by a later process
/// too. Completions and handlers run on a queue of the client's own.
///
/// ```swift
/// let client = PosthornClient(service: "https://push.example.com", appKey: "…")
/// client.start()
/// let registration = try await client.registration()
/// ```
public final class PosthornClient: Sendable {
    let engine: ClientEngine

    /// Creates a client. An app has one, for its lifetime.
    public init(_ configuration: PosthornConfiguration) { engine = ClientEngine(configuration) }

    /// Creates the client of the running app, with the settings of ``PosthornConfiguration/app(service:appKey:bundle:store:)`` and a
    /// log in the system's, in which what it quotes is private; on standard error on Linux.
    ///
    /// It does not throw, so that it can be the initial value of a property of an app delegate. A mistake in the settings is in the
    /// log once the client is started; ``registration()`` and ``onIdentity(_:)`` report it, and every operation fails with it.
    ///
    /// - Parameters:
    ///   - service: the address of the service, such as `https://push.example.com`; nil for the one in the Info.plist, under
    ///     ``PosthornConfiguration/serviceKey``.
    ///   - appKey: the app's key at the service; nil for the one in the Info.plist, under ``PosthornConfiguration/appKeyKey``.
    ///   - bundle: the app's.
    ///   - store: the client's durable memory; nil for files in Application Support.
    public convenience init(
        service: String? = nil,
        appKey: String? = nil,
        bundle: Bundle = .main,
        store: (any StateStore)? = nil
    ) {
        do {
            let address = try service.map(PosthornConfiguration.address)
            var configuration = try PosthornConfiguration.app(
                service: address,
                appKey: appKey,
                bundle: bundle,
                store: store
            )
            configuration.log = SystemActivity.write
            self.init(configuration)
        } catch {
            let mistake =
                error as? PosthornError
                ?? PosthornError(code: PosthornError.notRegistered, message: error.localizedDescription)
            self.init(refusing: mistake, log: SystemActivity.write)
        }
    }

    /// Creates a client that sends nothing, because of a mistake in the settings: every operation fails with it once it is started.
    public init(refusing mistake: PosthornError, log: @escaping @Sendable (String) -> Void) {
        var configuration = PosthornConfiguration.unusable
        configuration.log = log
        engine = ClientEngine(configuration, mistake: mistake)
    }

    /// Registers the device, or reports this start of the app if it is registered. Also registers again after ``unregister()``.
    public func start() { engine.start() }

    /// Starts as ``start()`` does, with an app key and a channel that were not known when the client was created with an empty key.
    public func start(appKey: String, channel: String?) { engine.start(appKey: appKey, channel: channel) }

    /// Whether calls go over HTTPS, and not over the link.
    public var callsOverHTTPS: Bool { engine.configuration.transport != nil }

    // MARK: Identity

    /// The device's identity; nil until the service has assigned one, or until the store was read.
    public var currentRegistration: Registration? {
        engine.saved.flatMap { $0.isLeaving ? nil : $0.registration }
    }

    /// Waits for the device's identity.
    ///
    /// - Throws: a ``PosthornError`` if the service refuses the app.
    public func registration() async throws -> Registration {
        try await withCheckedThrowingContinuation { continuation in whenRegistered { continuation.resume(with: $0) } }
    }

    /// Calls `completion` once, with the device's identity as soon as it is known, or with the refusal.
    public func whenRegistered(_ completion: @escaping @Sendable (Result<Registration, PosthornError>) -> Void) {
        engine.whenRegistered(completion)
    }

    /// Sets the handler for identities and refusals. It is called with the stored identity at each start, and with true as the second
    /// value for one that the service has assigned in this process.
    public func onIdentity(_ handler: (@Sendable (Result<Registration, PosthornError>, _ isNew: Bool) -> Void)?) {
        engine.handlers.with { $0.onIdentity = handler }
    }

    /// Unregisters the device: the service deletes it with its tags, alias and tokens. Waits until that has happened, which may be
    /// in a later process.
    public func unregister() async {
        await withCheckedContinuation { continuation in unregister { continuation.resume() } }
    }

    /// Unregisters the device, and calls `completion` once the service has deleted it.
    public func unregister(_ completion: @escaping @Sendable () -> Void) { engine.leave(completion) }

    /// Sets the handler for changes of the connection with the service.
    public func onNetwork(_ handler: (@Sendable (NetworkEvent) -> Void)?) {
        engine.handlers.with { $0.onNetwork = handler }
    }

    // MARK: Tokens and facts

    /// Sets the device token from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    public func setDeviceToken(_ token: Data) { change { $0.token = token.hexadecimal } }

    /// Sets the token of PushKit.
    public func setVoIPToken(_ token: Data) { change { $0.voipToken = token.hexadecimal } }

    /// Sets the token of a Live Activity.
    ///
    /// - Parameters:
    ///   - token: nil if the activity has ended.
    ///   - activity: the app's id of the activity, 1 to 256 bytes without NUL; any other fails with ``PosthornError/malformed``.
    ///   - completion: called once, when the service has the token, or with a failure; nil if nobody waits. After
    ///     ``PosthornError/notSentYet`` the token is still sent later.
    public func setActivityToken(
        _ token: Data?,
        for activity: String,
        completion: (@Sendable (Result<DeviceAnswer, PosthornError>) -> Void)? = nil
    ) {
        change(named: activity, completion) { $0.activityTokens.set(token?.hexadecimal, for: activity) }
    }

    /// Sets the token with which pushes start Live Activities of an attributes type.
    public func setActivityStartToken(
        _ token: Data?,
        for attributesType: String,
        completion: (@Sendable (Result<DeviceAnswer, PosthornError>) -> Void)? = nil
    ) {
        change(named: attributesType, completion) {
            $0.activityStartTokens.set(token?.hexadecimal, for: attributesType)
        }
    }

    /// Reports the notification permission, which the diagnosis explains.
    public func setPermission(_ permission: DeviceValues.Permission) { change { $0.permission = permission } }

    /// Reports the current time zone and language, after they have changed.
    public func setZone(_ zone: TimeZone = .current, language: String? = Locale.preferredLanguages.first) {
        change { values in
            values.zone = zone.identifier
            values.language = language ?? values.language
        }
    }

    /// Sets the handler that asks the system for the device token again: APNs has told the service that the present one is gone.
    public func onTokenWanted(_ handler: (@Sendable () -> Void)?) {
        engine.handlers.with { $0.onTokenWanted = handler }
    }

    /// Sets the handler that removes notifications from the notification centre when their sender takes them back, and reports
    /// ``Receipt/Event/removed`` or ``Receipt/Event/absent`` of ``TakeBack/id``. Without one, the service gets no answer.
    public func onTakeBack(_ handler: (@Sendable (TakeBack) -> Void)?) {
        engine.handlers.with { $0.onTakeBack = handler }
    }

    private func change(_ body: @escaping @Sendable (inout DeviceValues) -> Void) {
        engine.change(nil, body)
    }

    /// Changes the token of a name, which the service has to take.
    private func change(
        named name: String,
        _ completion: (@Sendable (Result<DeviceAnswer, PosthornError>) -> Void)?,
        _ body: @escaping @Sendable (inout DeviceValues) -> Void
    ) {
        if DeviceValues.isName(name) { return engine.change(completion, body) }
        let found = "The name has \(name.utf8.count) bytes; expected 1 to 256, and none of them 0."
        engine.configuration.executor.run {
            completion?(.failure(PosthornError(code: PosthornError.malformed, message: found)))
        }
    }

    // MARK: Operations

    /// Carries out an operation and returns the answer.
    ///
    /// - Throws: a ``PosthornError``; with ``PosthornError/notSentYet`` the operation is still sent later.
    @discardableResult
    public func perform(_ operation: DeviceOperation) async throws -> DeviceAnswer {
        try await withCheckedThrowingContinuation { continuation in
            perform(operation) { continuation.resume(with: $0) }
        }
    }

    /// Carries out an operation.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - keeping: how long it is kept.
    ///   - completion: called once, with the answer or a failure; nil if nobody waits.
    public func perform(
        _ operation: DeviceOperation,
        keeping: Keeping = .untilAnswered,
        completion: (@Sendable (Result<DeviceAnswer, PosthornError>) -> Void)?
    ) {
        engine.request(operation, keeping: keeping, completion)
    }

    /// Whether pushes to this device are switched off, as far as the client knows.
    public var isPushOff: Bool { engine.isPushOff }

    /// Sets the device's alias, with the proof of the app's backend.
    ///
    /// An app whose operator asks for proofs sends its registration id to its backend, which answers with the user's alias and the proof:
    /// see "Aliases that the backend vouches for" in the service's documentation.
    ///
    /// - Parameters:
    ///   - alias: the alias, at most 40 bytes.
    ///   - proof: 64 hexadecimal digits.
    /// - Throws: a ``PosthornError``; with ``PosthornError/notSentYet`` the alias is still sent later.
    public func setAlias(_ alias: String, proof: String) async throws {
        try await perform(.setAlias(alias, proof: proof))
    }

    /// Sets the device's alias, with the proof of the app's backend, and calls `completion` once.
    public func setAlias(
        _ alias: String,
        proof: String,
        completion: (@Sendable (Result<DeviceAnswer, PosthornError>) -> Void)?
    ) { perform(.setAlias(alias, proof: proof), completion: completion) }

    // MARK: Receipts

    /// Reports what happened to a push. Each event of a push counts once.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - messageID: the push's `_j_msgid`, as ``messageID(in:)`` reads it.
    ///   - date: the time of the event.
    public func report(_ event: Receipt.Event, of messageID: Int64, at date: Date = Date()) {
        let receipt = Receipt(messageID: messageID, event: event, time: Int64(date.timeIntervalSince1970))
        engine.update { $0.report([receipt]) }
    }

    /// Reads the msg_id of a push's payload; nil if the push is not from a service.
    public static func messageID(in userInfo: [AnyHashable: Any]) -> Int64? {
        switch userInfo["_j_msgid"] {
        case let text as String: return Int64(text)
        case let number as any BinaryInteger: return Int64(exactly: number)
        // Neither a fraction nor a boolean is one.
        case let number as NSNumber:
            return ["f", "d", "c", "B"].contains(String(cString: number.objCType)) ? nil : number.int64Value
        default: return nil
        }
    }

    // MARK: Custom messages

    /// Sets the handler for custom messages. Each message comes once, in the order of their positions, and only then the service hears
    /// that the app has it. Without a handler or a reader all messages stay with the service.
    public func onMessage(_ handler: @escaping @Sendable (CustomMessage) -> Void) {
        engine.read(.all) { ClientEngine.Reader(id: $0, deliver: handler) }
    }

    /// Sets the handler for custom messages of an app that takes them at times of its own.
    ///
    /// - Parameters:
    ///   - turn: called with a message that waits; it calls its second argument once the app can take the message, such as in a turn of
    ///     the main thread. A process that ends before that leaves the message with the service.
    ///   - handler: gets the message.
    public func onMessage(
        turn: @escaping @Sendable (CustomMessage, _ take: @escaping @Sendable () -> Void) -> Void,
        handler: @escaping @Sendable (CustomMessage) -> Void
    ) {
        engine.read(.nothing) { ClientEngine.Reader(id: $0, offer: turn, deliver: handler) }
    }

    /// Returns the custom messages as a sequence, in place of a handler. Each message is taken when the app asks for it; with the end
    /// of the sequence or its task the rest stays with the service. One reader at a time.
    public func messages() -> AsyncStream<CustomMessage> {
        let reader = MessageReader(engine)
        return AsyncStream(unfolding: { await reader.next() }, onCancel: { reader.end() })
    }

    /// Asks for the waiting custom messages now, such as after a silent push. No effect without a handler or a reader.
    public func fetchMessages() { engine.update { $0.fetchMessages() } }

    /// Tells the client that the app is in front: it then has a link for custom messages, or fetches them from time to time.
    public func setInFront(_ isInFront: Bool) {
        if isInFront { engine.collectReceipts() }
        engine.update { $0.moved(toFront: isInFront) }
    }

    /// Sets the seconds between two pings that the client sends on a link, for networks that end idle ones sooner than the service's
    /// pings come; nil for none. It applies to links opened from now on.
    public func setHeartbeat(_ seconds: TimeInterval?) {
        engine.update { $0.socket.heartbeat = seconds?.milliseconds }
    }

    // MARK: Sending

    /// Sends what waits now, without the rest of a back-off.
    ///
    /// - Parameter limit: the longest wait in seconds.
    /// - Returns: whether everything has been sent.
    @discardableResult
    public func flush(within limit: TimeInterval = 20) async -> Bool {
        await withCheckedContinuation { continuation in flush(within: limit) { continuation.resume(returning: $0) } }
    }

    /// Sends what waits now, and calls `completion` once with whether everything has been sent.
    public func flush(within limit: TimeInterval = 20, _ completion: @escaping @Sendable (Bool) -> Void) {
        engine.whenSettled(within: limit, completion)
    }

    // MARK: Why did I get nothing?

    /// Sends a test push to this device and says what came of it.
    ///
    /// - Parameters:
    ///   - messageID: an earlier test push to look at again; nil for a new one.
    ///   - language: the language of the sentence, `en` or `zh-Hans`; nil for the device's.
    ///   - wait: the seconds for which the service waits, 0 to 30.
    /// - Returns: the cause, with a sentence for the user.
    /// - Throws: a ``PosthornError`` if the device is not registered, or the service does not answer.
    public func diagnose(messageID: String? = nil, language: String? = nil, wait: Int = 10) async throws -> Diagnosis {
        try await withCheckedThrowingContinuation { continuation in
            diagnose(messageID: messageID, language: language, wait: wait) { continuation.resume(with: $0) }
        }
    }

    /// Sends a test push to this device, and calls `completion` once with what came of it.
    public func diagnose(
        messageID: String? = nil,
        language: String? = nil,
        wait: Int = 10,
        completion: @escaping @Sendable (Result<Diagnosis, PosthornError>) -> Void
    ) {
        let request = engine.saved.flatMap {
            engine.wire.diagnosis(messageID: messageID, language: language, wait: wait, state: $0)
        }
        guard let request, let transport = engine.configuration.transport else {
            let text =
                request == nil
                ? "The device is not registered yet, so the service cannot send it a test push."
                : "A test push is asked for over HTTPS, and the app has the address of the link alone."
            return completion(.failure(PosthornError(code: PosthornError.notRegistered, message: text)))
        }
        transport.send(request) { [engine, extensionLastSeen] result in
            completion(
                Self.diagnosis(result).map { found in
                    var found = found
                    if found.complete(for: engine.saved?.wanted, in: language, extensionLastSeen: extensionLastSeen) {
                        engine.update { $0.checkIn() }
                    }
                    return found
                }
            )
        }
    }

    /// The time at which a service extension has last reported a push; nil if none ever has, as without a store that it shares with the app.
    public var extensionLastSeen: Date? {
        let time = (try? engine.configuration.store.data(for: ClientEngine.extensionKey)).flatMap { $0 }
        return time.flatMap { TimeInterval(String(decoding: $0, as: UTF8.self)) }.map(Date.init(timeIntervalSince1970:))
    }

    private static func diagnosis(_ result: Result<ServiceAnswer, any Error>) -> Result<Diagnosis, PosthornError> {
        switch result {
        case .failure(let error):
            let text = "The service cannot be reached: \(error.localizedDescription)"
            return .failure(PosthornError(code: PosthornError.notSentYet, message: text))
        case .success(let answer) where answer.status == 200:
            if let diagnosis = Diagnosis(answer.body) { return .success(diagnosis) }
            return .failure(PosthornError(code: PosthornError.unknown, message: "The answer is not the service's."))
        case .success(let answer):
            switch ServiceWire.failure(answer) {
            case .refused(let error), .failed(let error, _): return .failure(error)
            default: return .failure(PosthornError(code: PosthornError.unknown, message: "Status \(answer.status)."))
            }
        }
    }
}

extension Data {
    /// The bytes as hexadecimal digits.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension [String: String] {
    /// Sets or removes a token. The service keeps so many; beyond them one makes room.
    fileprivate mutating func set(_ token: String?, for key: String) {
        if token != nil, self[key] == nil, count >= DeviceValues.mostActivities, let first = keys.min() {
            self[first] = nil
        }
        self[key] = token
    }
}
