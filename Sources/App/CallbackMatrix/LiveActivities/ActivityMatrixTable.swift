// swift-format-ignore-file

/// The table of Live Activities and their pushes, as comma-separated values: the expected results on iOS 18.
///
/// `app_hears` has the launch and the elements of the sequences that an app awaits; an app in the background hears of them as long as its
/// process is not suspended. `source` is `push` for Apple's "Starting and updating Live Activities with ActivityKit push notifications",
/// `life` for "Displaying live data with Live Activities", and `posthorn` for what Apple does not document.
enum ActivityMatrixTable {
    static let text = #"""
        id,activity,push,app_state,state_after,app_hears,shown,island_after,verdict,source,notes
        LA-N-1,none,start,foreground,active,activityUpdates > pushTokenUpdates,started,no,shown: it started a Live Activity,push,
        LA-N-2,none,start,background,active,activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,
        LA-N-3,none,start,terminated,active,application(_:didFinishLaunchingWithOptions:)@background > activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,"the system launches the app in the background, so that it can send the new activity's token"
        LA-N-4,none,start,force-quit,active,-,started,yes,shown: it started a Live Activity,posthorn,Apple does not say whether an app that was swiped away is launched; here it is not
        LA-N-5,none,update,any,none,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-N-6,none,update with alert,any,none,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-N-7,none,end,any,none,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-N-8,none,end with dismissal-date in the past,any,none,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-N-9,none,update of a channel,any,none,-,-,no,"delivered, but nothing took it: no Live Activity is subscribed to the channel; start one with Activity.request(…, pushType: .channel(id))",push,the device has left the channel
        LA-N-10,none,end of a channel,any,none,-,-,no,"delivered, but nothing took it: no Live Activity is subscribed to the channel; start one with Activity.request(…, pushType: .channel(id))",push,the device has left the channel
        LA-A-1,active,start,foreground,active + active,activityUpdates > pushTokenUpdates,started,no,shown: it started a Live Activity,push,
        LA-A-2,active,start,background,active + active,activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,
        LA-A-3,active,start,terminated,active + active,application(_:didFinishLaunchingWithOptions:)@background > activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,"the system launches the app in the background, so that it can send the new activity's token"
        LA-A-4,active,start,force-quit,active + active,-,started,yes,shown: it started a Live Activity,posthorn,Apple does not say whether an app that was swiped away is launched; here it is not
        LA-A-5,active,update,foreground,active,contentUpdates(near),updated,no,shown: it changed a Live Activity,push,
        LA-A-6,active,update,background,active,contentUpdates(near),updated,yes,shown: it changed a Live Activity,push,
        LA-A-7,active,update,terminated|force-quit,active,-,updated,yes,shown: it changed a Live Activity,push,the system shows it without the app
        LA-A-8,active,update with alert,foreground,active,contentUpdates(near),updated > alert > sound,no,shown: it changed a Live Activity,push,"the screen lights up, and the island opens"
        LA-A-9,active,update with alert,background,active,contentUpdates(near),updated > alert > sound,yes,shown: it changed a Live Activity,push,"the screen lights up, and the island opens"
        LA-A-10,active,update with alert,terminated|force-quit,active,-,updated > alert > sound,yes,shown: it changed a Live Activity,push,the system shows it without the app
        LA-A-11,active,end,foreground|background,ended,contentUpdates(near) > activityStateUpdates(.ended),ended,no,shown: it ended a Live Activity,life,"it leaves the island at once, and the lock screen after four hours"
        LA-A-12,active,end,terminated|force-quit,ended,-,ended,no,shown: it ended a Live Activity,push,the system shows it without the app
        LA-A-13,active,end with dismissal-date in the past,foreground|background,dismissed,contentUpdates(near) > activityStateUpdates(.dismissed),dismissed,no,shown: it ended a Live Activity,push,it leaves the lock screen at once
        LA-A-14,active,end with dismissal-date in the past,terminated|force-quit,dismissed,-,dismissed,no,shown: it ended a Live Activity,push,the system shows it without the app
        LA-A-15,active,update of a channel,foreground,active,contentUpdates(near),updated,no,shown: it changed a Live Activity,push,
        LA-A-16,active,update of a channel,background,active,contentUpdates(near),updated,yes,shown: it changed a Live Activity,push,
        LA-A-17,active,update of a channel,terminated|force-quit,active,-,updated,yes,shown: it changed a Live Activity,push,the system shows it without the app
        LA-A-18,active,end of a channel,foreground|background,ended,contentUpdates(near) > activityStateUpdates(.ended),ended,no,shown: it ended a Live Activity,life,"it leaves the island at once, and the lock screen after four hours"
        LA-A-19,active,end of a channel,terminated|force-quit,ended,-,ended,no,shown: it ended a Live Activity,push,the system shows it without the app
        LA-S-1,stale,start,foreground,stale + active,activityUpdates > pushTokenUpdates,started,no,shown: it started a Live Activity,push,
        LA-S-2,stale,start,background,stale + active,activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,
        LA-S-3,stale,start,terminated,stale + active,application(_:didFinishLaunchingWithOptions:)@background > activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,"the system launches the app in the background, so that it can send the new activity's token"
        LA-S-4,stale,start,force-quit,stale + active,-,started,yes,shown: it started a Live Activity,posthorn,Apple does not say whether an app that was swiped away is launched; here it is not
        LA-S-5,stale,update,foreground,active,contentUpdates(near) > activityStateUpdates(.active),updated,no,shown: it changed a Live Activity,life,new content makes it current
        LA-S-6,stale,update,background,active,contentUpdates(near) > activityStateUpdates(.active),updated,yes,shown: it changed a Live Activity,life,new content makes it current
        LA-S-7,stale,update,terminated|force-quit,active,-,updated,yes,shown: it changed a Live Activity,push,the system shows it without the app
        LA-S-8,stale,update with alert,foreground,active,contentUpdates(near) > activityStateUpdates(.active),updated > alert > sound,no,shown: it changed a Live Activity,life,new content makes it current
        LA-S-9,stale,update with alert,background,active,contentUpdates(near) > activityStateUpdates(.active),updated > alert > sound,yes,shown: it changed a Live Activity,life,new content makes it current
        LA-S-10,stale,update with alert,terminated|force-quit,active,-,updated > alert > sound,yes,shown: it changed a Live Activity,push,the system shows it without the app
        LA-S-11,stale,end,foreground|background,ended,contentUpdates(near) > activityStateUpdates(.ended),ended,no,shown: it ended a Live Activity,life,"it leaves the island at once, and the lock screen after four hours"
        LA-S-12,stale,end,terminated|force-quit,ended,-,ended,no,shown: it ended a Live Activity,push,the system shows it without the app
        LA-S-13,stale,end with dismissal-date in the past,foreground|background,dismissed,contentUpdates(near) > activityStateUpdates(.dismissed),dismissed,no,shown: it ended a Live Activity,push,it leaves the lock screen at once
        LA-S-14,stale,end with dismissal-date in the past,terminated|force-quit,dismissed,-,dismissed,no,shown: it ended a Live Activity,push,the system shows it without the app
        LA-S-15,stale,update of a channel,foreground,active,contentUpdates(near) > activityStateUpdates(.active),updated,no,shown: it changed a Live Activity,life,new content makes it current
        LA-S-16,stale,update of a channel,background,active,contentUpdates(near) > activityStateUpdates(.active),updated,yes,shown: it changed a Live Activity,life,new content makes it current
        LA-S-17,stale,update of a channel,terminated|force-quit,active,-,updated,yes,shown: it changed a Live Activity,push,the system shows it without the app
        LA-S-18,stale,end of a channel,foreground|background,ended,contentUpdates(near) > activityStateUpdates(.ended),ended,no,shown: it ended a Live Activity,life,"it leaves the island at once, and the lock screen after four hours"
        LA-S-19,stale,end of a channel,terminated|force-quit,ended,-,ended,no,shown: it ended a Live Activity,push,the system shows it without the app
        LA-E-1,ended,start,foreground,ended + active,activityUpdates > pushTokenUpdates,started,no,shown: it started a Live Activity,push,
        LA-E-2,ended,start,background,ended + active,activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,
        LA-E-3,ended,start,terminated,ended + active,application(_:didFinishLaunchingWithOptions:)@background > activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,"the system launches the app in the background, so that it can send the new activity's token"
        LA-E-4,ended,start,force-quit,ended + active,-,started,yes,shown: it started a Live Activity,posthorn,Apple does not say whether an app that was swiped away is launched; here it is not
        LA-E-5,ended,update,any,ended,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-E-6,ended,update with alert,any,ended,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-E-7,ended,end,any,ended,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-E-8,ended,end with dismissal-date in the past,any,ended,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-E-9,ended,update of a channel,any,ended,-,-,no,"delivered, but nothing took it: no Live Activity is subscribed to the channel; start one with Activity.request(…, pushType: .channel(id))",push,the device has left the channel
        LA-E-10,ended,end of a channel,any,ended,-,-,no,"delivered, but nothing took it: no Live Activity is subscribed to the channel; start one with Activity.request(…, pushType: .channel(id))",push,the device has left the channel
        LA-D-1,dismissed,start,foreground,dismissed + active,activityUpdates > pushTokenUpdates,started,no,shown: it started a Live Activity,push,
        LA-D-2,dismissed,start,background,dismissed + active,activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,
        LA-D-3,dismissed,start,terminated,dismissed + active,application(_:didFinishLaunchingWithOptions:)@background > activityUpdates > pushTokenUpdates,started,yes,shown: it started a Live Activity,push,"the system launches the app in the background, so that it can send the new activity's token"
        LA-D-4,dismissed,start,force-quit,dismissed + active,-,started,yes,shown: it started a Live Activity,posthorn,Apple does not say whether an app that was swiped away is launched; here it is not
        LA-D-5,dismissed,update,any,dismissed,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-D-6,dismissed,update with alert,any,dismissed,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-D-7,dismissed,end,any,dismissed,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-D-8,dismissed,end with dismissal-date in the past,any,dismissed,-,-,no,"delivered, not shown: the Live Activity has ended, or was dismissed",push,a gateway answers 410 to the token of an activity that has ended; here the push was on its way
        LA-D-9,dismissed,update of a channel,any,dismissed,-,-,no,"delivered, but nothing took it: no Live Activity is subscribed to the channel; start one with Activity.request(…, pushType: .channel(id))",push,the device has left the channel
        LA-D-10,dismissed,end of a channel,any,dismissed,-,-,no,"delivered, but nothing took it: no Live Activity is subscribed to the channel; start one with Activity.request(…, pushType: .channel(id))",push,the device has left the channel
        LA-O-1,off,start,any,dismissed,-,-,no,"delivered, not shown: the user has switched the app's Live Activities off",life,"off: all activities have ended, and neither tokens nor channels are left"
        LA-O-2,off,update,any,dismissed,-,-,no,"delivered, not shown: the user has switched the app's Live Activities off",life,"off: all activities have ended, and neither tokens nor channels are left"
        LA-O-3,off,update with alert,any,dismissed,-,-,no,"delivered, not shown: the user has switched the app's Live Activities off",life,"off: all activities have ended, and neither tokens nor channels are left"
        LA-O-4,off,end,any,dismissed,-,-,no,"delivered, not shown: the user has switched the app's Live Activities off",life,"off: all activities have ended, and neither tokens nor channels are left"
        LA-O-5,off,end with dismissal-date in the past,any,dismissed,-,-,no,"delivered, not shown: the user has switched the app's Live Activities off",life,"off: all activities have ended, and neither tokens nor channels are left"
        LA-O-6,off,update of a channel,any,dismissed,-,-,no,"delivered, not shown: the user has switched the app's Live Activities off",life,"off: all activities have ended, and neither tokens nor channels are left"
        LA-O-7,off,end of a channel,any,dismissed,-,-,no,"delivered, not shown: the user has switched the app's Live Activities off",life,"off: all activities have ended, and neither tokens nor channels are left"
        """#
}
