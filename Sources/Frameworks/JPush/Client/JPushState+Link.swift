import DeviceLink
import PushModel

// Events of the link, and when to have one.

extension JPushState {
    mutating func act(_ body: (inout SDKLinkClient) -> [SDKLinkClient.Action]) {
        guard var link else { return }
        let actions = body(&link)
        self.link = link
        perform(actions)
        adjustLink()
    }

    /// Handles an event of the link with this number; events of an old link are ignored.
    mutating func heard(_ event: LinkEvent, on number: Int) {
        guard number == linkNumber else { return }
        switch event {
        case .opened: act { $0.opened() }
        case .closed(let reason): closed(reason)
        case .received(let text):
            // A frame unknown to this version has no effect.
            guard let frame = try? SDKFrame(text: text) else { return }
            act { $0.received(frame) }
        }
    }

    private mutating func closed(_ reason: String) {
        guard var link else { return }
        let actions = link.closed(reason, using: &random)
        self.link = link
        perform(actions)
        let wasOpen = actions.contains { if case .disconnected = $0 { true } else { false } }
        if !actions.isEmpty, !wasOpen, !hasComplained {
            hasComplained = true
            complain("the service cannot be reached: \(reason)")
        }
        if !actions.isEmpty { release(SDKLinkClient.timeout) }
        adjustLink()
    }

    /// Sends the heartbeat that is due.
    mutating func beat() {
        guard let heartbeat, link?.isOpen == true else { return }
        add(.ping)
        add(.beat(after: heartbeat))
    }

    mutating func moved(toFront isInFront: Bool) {
        self.isInFront = isInFront
        adjustLink()
        showInApp()
    }

    mutating func stayInBackground(_ stays: Bool) {
        staysInBackground = stays
        adjustLink()
    }

    /// Opens or closes the link: in the background it exists only while the app has something to send, unless it is to
    /// stay open.
    mutating func adjustLink() {
        // A refused extension must not register: that is up to the app.
        guard var link, !isExtension || refusal == nil else { return }
        let isWanted =
            isInFront || staysInBackground || link.hasRequests
            || link.identity == nil && refusal == nil
        guard isWanted != link.isStarted else { return }
        let actions = isWanted ? link.start() : link.stop()
        self.link = link
        perform(actions)
    }

    mutating func perform(_ actions: [SDKLinkClient.Action]) {
        for action in actions {
            switch action {
            case .open:
                linkNumber += 1
                add(.post(.isConnecting))
                add(.open(linkNumber))
            case .connected:
                hasComplained = false
                add(.post(.didSetup))
                if let heartbeat { add(.beat(after: heartbeat)) }
            case .disconnected: add(.post(.didClose))
            case .registered(let identity):
                isStopped = false
                forgetMessages()
                add(save(identity))
                add(.post(.didRegister(identity.registrationID)))
            case .forget where isExtension:
                // The app registers again at its next login.
                _ = link?.stop()
                refuse(ResultCode.forgotten, "the app's registration is no longer known")
            case .forget:
                forgetMessages()
                add(save(nil))
            case .loggedIn(let identity):
                let id = identity.registrationID
                add(.log(.info, "Logged in: uid \(identity.userID), registrationID \(id)."))
                add(.post(.didLogin))
                announce()
            case .refused(let code, let message): refuse(code, "the service refuses the app: \(message)")
            case .answer(let number, let reply):
                add(.link(action))
                answered(number, reply)
            case .message(let message): receive(message)
            case .close, .send, .wait, .gather, .watch, .pause: add(.link(action))
            }
        }
    }
}
