import DeviceLink
import PushModel

// Events of the link, and when to have one.

extension JPushState {
    mutating func act(_ effects: inout [Effect], _ body: (inout SDKLinkClient) -> [SDKLinkClient.Action]) {
        guard var link else { return }
        let actions = body(&link)
        self.link = link
        perform(actions, &effects)
        adjustLink(&effects)
    }

    /// Handles an event of the link with this number; events of an old link are ignored.
    mutating func heard(_ event: LinkEvent, on number: Int, _ effects: inout [Effect]) {
        guard number == linkNumber else { return }
        switch event {
        case .opened: act(&effects) { $0.opened() }
        case .closed(let reason): closed(reason, &effects)
        case .received(let text):
            // A frame unknown to this version has no effect.
            guard let frame = try? SDKFrame(text: text) else { return }
            act(&effects) { $0.received(frame) }
        }
    }

    private mutating func closed(_ reason: String, _ effects: inout [Effect]) {
        guard var link else { return }
        let actions = link.closed(reason, using: &random)
        self.link = link
        perform(actions, &effects)
        let wasOpen = actions.contains { if case .disconnected = $0 { true } else { false } }
        if !actions.isEmpty, !wasOpen, !hasComplained {
            hasComplained = true
            complain("the service cannot be reached: \(reason)", &effects)
        }
        if !actions.isEmpty { release(SDKLinkClient.timeout, &effects) }
        adjustLink(&effects)
    }

    /// Sends the heartbeat that is due.
    func beat(_ effects: inout [Effect]) {
        guard let heartbeat, link?.isOpen == true else { return }
        effects += [.ping, .beat(after: heartbeat)]
    }

    mutating func moved(toFront isInFront: Bool, _ effects: inout [Effect]) {
        self.isInFront = isInFront
        adjustLink(&effects)
        showInApp(&effects)
    }

    mutating func stayInBackground(_ stays: Bool, _ effects: inout [Effect]) {
        staysInBackground = stays
        adjustLink(&effects)
    }

    /// Opens or closes the link: in the background it exists only while the app has something to send, unless it is to
    /// stay open.
    mutating func adjustLink(_ effects: inout [Effect]) {
        // A refused extension must not register: that is up to the app.
        guard var link, !isExtension || refusal == nil else { return }
        let isWanted =
            isInFront || staysInBackground || link.hasRequests
            || link.identity == nil && refusal == nil
        guard isWanted != link.isStarted else { return }
        let actions = isWanted ? link.start() : link.stop()
        self.link = link
        perform(actions, &effects)
    }

    mutating func perform(_ actions: [SDKLinkClient.Action], _ effects: inout [Effect]) {
        for action in actions {
            switch action {
            case .open:
                linkNumber += 1
                effects += [.post(.isConnecting), .open(linkNumber)]
            case .connected:
                hasComplained = false
                effects.append(.post(.didSetup))
                if let heartbeat { effects.append(.beat(after: heartbeat)) }
            case .disconnected:
                effects.append(.post(.didClose))
            case .registered(let identity):
                isStopped = false
                forgetMessages(&effects)
                effects += [save(identity), .post(.didRegister(identity.registrationID))]
            case .forget where isExtension:
                // The app registers again at its next login.
                _ = link?.stop()
                refuse(ResultCode.forgotten, "the app's registration is no longer known", &effects)
            case .forget:
                forgetMessages(&effects)
                effects.append(save(nil))
            case .loggedIn(let identity):
                let id = identity.registrationID
                effects += [.log(.info, "Logged in: uid \(identity.userID), registrationID \(id)."), .post(.didLogin)]
                announce(&effects)
            case .refused(let code, let message):
                refuse(code, "the service refuses the app: \(message)", &effects)
            case .answer(let number, let reply):
                effects.append(.link(action))
                answered(number, reply, &effects)
            case .message(let message):
                receive(message, &effects)
            case .close, .send, .wait, .gather, .watch, .pause:
                effects.append(.link(action))
            }
        }
    }
}
