extension INInteraction {
    /// Creates the interaction of an activity that calls somebody back; nil for any other activity.
    ///
    /// - Parameters:
    ///   - type: the type of the activity: the name of one of the three intents.
    ///   - userInfo: the address or number as `handle`, and for `INStartCallIntent` the text `true` as `video` if the call has video.
    package convenience init?(callBack type: String, _ userInfo: [AnyHashable: Any]) {
        let handle = (userInfo["handle"] as? String).map { value in
            let isNumber = value.allSatisfy { $0.isNumber || "+-() ".contains($0) }
            let kind: INPersonHandleType =
                if value.contains("@") {
                    .emailAddress
                } else if isNumber {
                    .phoneNumber
                } else {
                    .unknown
                }
            return INPersonHandle(value: value, type: kind)
        }
        let people = handle.map { [INPerson($0)] }
        let intent: INIntent
        switch type {
        case "INStartCallIntent":
            let hasVideo = userInfo["video"] as? String == "true"
            intent = INStartCallIntent(contacts: people, callCapability: hasVideo ? .videoCall : .audioCall)
        case "INStartAudioCallIntent": intent = INStartAudioCallIntent(contacts: people)
        case "INStartVideoCallIntent": intent = INStartVideoCallIntent(contacts: people)
        default: return nil
        }
        self.init(intent: intent, response: nil)
    }
}
