import PushModel
import SystemPort

extension SystemPortConformance {
    static let requests = [
        Clause("Pending requests are listed in the order in which they fire, with their content") { stage in
            try await stage.permit()
            let late = Stage.request("late", after: 7200)
            let early = Stage.request("early", after: 3600, repeats: true)
            try await stage.change(.add(late))
            try await stage.change(.add(early))
            try stage.expect(try stage.requests(), [early, late], as: "the pending requests")
        },
        Clause("A request replaces the pending one with its identifier") { stage in
            try await stage.permit()
            try await stage.change(.add(Stage.request("same", title: "Old", after: 3600)))
            let new = Stage.request("same", title: "New", after: 7200)
            try await stage.change(.add(new))
            try stage.expect(try stage.requests(), [new], as: "the pending requests")
        },
        Clause("Pending requests are removed by identifier, and all at once") { stage in
            try await stage.permit()
            let requests = (1...4).map { Stage.request("\($0)", after: Double($0) * 3600) }
            for request in requests { try await stage.change(.add(request)) }
            try await stage.change(.removePending(identifiers: ["2", "4", "unknown"]))
            try stage.expect(try stage.requests(), [requests[0], requests[2]], as: "the pending requests")
            try await stage.change(.removeAllPending)
            try stage.expect(try stage.requests(), [], as: "the pending requests")
        },
        Clause("Pending requests outlive the process", needs: [.relaunch]) { stage in
            try await stage.permit()
            let request = Stage.request("kept", after: 3600)
            try await stage.change(.add(request))
            try await stage.host.terminate()
            try await stage.launch()
            try stage.expect(try stage.requests(), [request], as: "the pending requests of the last process")
        },
        Clause("A time interval fires once, at its time", needs: [.time]) { stage in
            try await stage.permit()
            try await stage.change(.add(Stage.request("once", after: 600)))
            try await stage.host.advance(by: .seconds(599))
            let early = try stage.notifications().map(\.identifier)
            try stage.expect(early, [], as: "what is delivered after 599 s of 600")
            try await stage.host.advance(by: .seconds(1))
            try stage.expect(try stage.notifications().map(\.identifier), ["once"], as: "what is delivered after 600 s")
            try stage.expect(try stage.requests(), [], as: "the pending requests")
        },
        Clause("A repeating interval stays pending, and replaces what it delivered", needs: [.time]) { stage in
            try await stage.permit()
            let request = Stage.request("again", after: 60, repeats: true)
            try await stage.change(.add(request))
            for minute in 1...3 {
                try await stage.host.advance(by: .seconds(60))
                try stage.expect(
                    try stage.notifications().map(\.identifier),
                    ["again"],
                    as: "what is delivered after \(minute) minutes"
                )
            }
            try stage.expect(try stage.requests(), [request], as: "the pending requests")
        },
        Clause("A removed request does not fire", needs: [.time]) { stage in
            try await stage.permit()
            try await stage.change(.add(Stage.request("gone", after: 60)))
            try await stage.change(.removePending(identifiers: ["gone"]))
            try await stage.host.advance(by: .seconds(120))
            try stage.expect(try stage.notifications().map(\.identifier), [], as: "what is delivered")
        },
    ]

    static let delivery = [
        Clause("A request without a trigger is delivered at once, with its content") { stage in
            try await stage.permit()
            let request = Stage.request("now")
            try await stage.deliver(request)
            let list = try stage.notifications()
            try stage.expect(list.map(\.identifier), ["now"], as: "what is delivered")
            guard let content = list.first?.content else { return }
            try stage.expect(content.title, request.content.title, as: "the title")
            try stage.expect(content.body, request.content.body, as: "the text")
            try stage.expect(content.threadIdentifier, "thread", as: "the thread")
            try stage.expect(list.first?.trigger, nil, as: "the trigger")
        },
        Clause("Delivered notifications are listed newest first, and replaced by identifier") { stage in
            try await stage.permit()
            for name in ["a", "b", "c"] { try await stage.deliver(Stage.request(name)) }
            try stage.expect(try stage.notifications().map(\.identifier), ["c", "b", "a"], as: "what is delivered")
            try await stage.deliver(Stage.request("a", title: "New"))
            let list = try stage.notifications()
            try stage.expect(list.map(\.identifier), ["a", "c", "b"], as: "what is delivered")
            try stage.expect(list.first?.content.title, "New", as: "the title of the newest")
        },
        Clause("Delivered notifications are removed by identifier, and all at once") { stage in
            try await stage.permit()
            for name in ["a", "b", "c"] { try await stage.deliver(Stage.request(name)) }
            try await stage.change(.removeDelivered(identifiers: ["b", "unknown"]))
            try stage.expect(Set(try stage.notifications().map(\.identifier)), ["a", "c"], as: "what is delivered")
            try await stage.change(.removeAllDelivered)
            try stage.expect(try stage.notifications().map(\.identifier), [], as: "what is delivered")
        },
        Clause("Delivered notifications outlive the process", needs: [.relaunch]) { stage in
            try await stage.permit()
            try await stage.deliver(Stage.request("kept"))
            try await stage.host.terminate()
            try await stage.launch()
            try stage.expect(try stage.notifications().map(\.identifier), ["kept"], as: "what is delivered")
        },
        Clause("The app hears of a tap, and the notification is no longer delivered", needs: [.tap]) { stage in
            try await stage.permit()
            try await stage.deliver(Stage.request("touched"))
            try await stage.host.tap("touched")
            let endpoint = try stage.endpoint
            let event = try await stage.soon("the event of the tap") {
                try await endpoint.event { if case .didReceive = $0 { true } else { false } }
            }
            guard case .didReceive(let response) = event else { return }
            try stage.expect(response.notification.identifier, "touched", as: "the notification of the response")
            try stage.expect(response.actionIdentifier, ResponseRecord.defaultAction, as: "the action")
            try stage.expect(try stage.notifications().map(\.identifier), [], as: "what is delivered")
        },
    ]

    static let permission = [
        Clause("Nothing is permitted before the app has asked") { stage in
            let settings = try stage.settings()
            try stage.expect(settings.status, 0, as: "the status")
            try stage.expect(settings.allowed, 0, as: "the options that are on")
        },
        Clause("Permission is recorded with the options") { stage in
            try await stage.permit()
            let settings = try stage.settings()
            let options = SettingsRecord.alert | SettingsRecord.sound | SettingsRecord.badge
            try stage.expect(settings.status, 2, as: "the status")
            try stage.expect(settings.requested & options, options, as: "the requested options")
        },
        Clause("Refusal is recorded, and nothing is delivered", needs: [.permission]) { stage in
            try await stage.host.setPermission(false)
            try stage.expect(await stage.ask(), false, as: "the answer")
            try stage.expect(try stage.settings().status, 1, as: "the status")
            _ = try await stage.call(.add(Stage.request("silent")))
            try stage.expect(try stage.notifications().map(\.identifier), [], as: "what is delivered")
        },
        Clause("The user is asked once", needs: [.permission]) { stage in
            try await stage.host.setPermission(false)
            try stage.expect(await stage.ask(), false, as: "the first answer")
            try await stage.host.setPermission(true)
            try stage.expect(await stage.ask(), false, as: "the second answer")
        },
        Clause("Permission outlives the process", needs: [.relaunch]) { stage in
            try await stage.permit()
            try await stage.host.terminate()
            try await stage.launch()
            try stage.expect(try stage.settings().status, 2, as: "the status")
        },
    ]
}
