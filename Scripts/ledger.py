#!/usr/bin/env python3
"""Writes Documentation/Compatibility/Frameworks.md from the compiler's symbol graphs.

    Scripts/ledger.py [--check] [build folder]        (after a build; .build/debug by default)

--check writes nothing, and exits with 1 if the page does not match the build.

Every public symbol is listed under its type, or in its own row, with its state: full (with the test that proves it) or partial
(with the differences). Below them are the symbols that only Apple has, with reasons. A type that is not in the table here makes
the script exit with 1, and so does a test that does not exist.
"""
import argparse, collections, os, pathlib, re, sys

import symbol_graphs

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page does not match the build")
parser.add_argument("build", nargs="?", default=os.path.join(ROOT, ".build/debug"), help="the build folder (.build/debug)")
OPTIONS = parser.parse_args()
BUILD = OPTIONS.build
PAGE = pathlib.Path(ROOT, "Documentation/Compatibility/Frameworks.md")
full = lambda *tests: ("full", ", ".join(f"`{test}`" for test in tests))
partial = lambda how: ("partial", how)
ours = lambda why: ("ours", why)

NOTHING = partial("accepted, no effect: Posthorn collects no such data")
SELECTOR = partial("the call is carried out (`JPushLabelTests.old`, `ViewValueTests.actions`); the selector is never called, because Linux has no Objective-C")
KEPT = partial("stored (`ViewValueTests.holders`, `ViewValueTests.rawValues`, `ViewDrivenTests`); draws nothing")
GESTURE = partial("stored by its view (`ViewValueTests.holders`); nobody touches views, so it never recognises anything")
LAYOUT = partial("stored by its view while active (`ViewValueTests.constraints`); lays out nothing")
CALL_BACK = partial("in the activity that calls somebody from the list of recent calls (`AppLevelDrivenTests.recentCall`); the type of the destination is always `normal`")
HOLDER = partial("stored (`ViewValueTests.propertyHolders`, `UIKitTests.smallMembers`); draws and plays nothing")
TOUCH = partial("compiles (`ViewValueTests.propertyHolders`); nobody touches views, so none occurs")
ROUTE = partial("the built-in microphone, earpiece and loudspeaker (`CallScreenTests.interruption`); nothing is connected")
KEPT_CALL = partial("stored (`MessageDrivenTests.callIntent`); no effect")
KEPT_INTENT = partial("stored (`MessageDrivenTests.earlier`); no effect")
PROPERTIES = partial("code 6036: the service has no properties (`JPushLabelTests.properties`)")
SERVICE = ours("the service's address, the end of the registration, and why a user got nothing; over HTTPS (`Interop/test_client_phone.py`)")
PROOFS = ours("the backend's proofs of the alias and of protected tags (`JPushLabelTests.proofs`)")
IN_APP = partial("in-app messages of pushes with `inapp_message` (`JPushInAppTests.road`, `JPushInAppTests.pages`); they apply to all pages, because a push names none")
GEOFENCE = partial("called for an unknown id (`JPushTokenTests.unknownGeofence`); no other geofences, see below")
OLD_NAME = ours("the name in Swift 4, which a compiler of Swift 5 refuses with the new one, as with Apple's")
LOG = partial("levels apply; the lines are Posthorn's own, on standard error")

TABLE = {
    "ActivityKit": {
        "Activity": full("ActivityLifeTests.foreground", "ActivityLifeTests.dismissal", "ActivityKitTests.sequences", "ActivityKitTests.old", "ActivityPushTests.startByPush", "ActivityDrivenTests.ride"),
        "ActivityAttributes": full("ActivityPushTests.undecodable", "ActivityDrivenTests.pizza"),
        "ActivityContent": full("ActivityLifeTests.stale", "ActivityLifeTests.relevance"),
        "ActivityState": full("ActivityLifeTests.twelveHours", "ActivityLifeTests.scheduled", "ActivityKitTests.values"),
        "ActivityStyle": partial("a transient activity ends when the person leaves the app or locks the device (`ActivityLifeTests.transient`); the emulated island cannot be collapsed"),
        "ActivityUIDismissalPolicy": full("ActivityLifeTests.dismissal"),
        "ActivityAuthorizationInfo": full("ActivityKitTests.permissions", "ActivityPushTests.budget"),
        "ActivityAuthorizationError": partial("thrown for the limits, the settings, the push entitlement, the size and the background (`ActivityLifeTests.requirements`, `ActivityLifeTests.unentitled`, `ActivityLifeTests.limit`); the cases of failures within the system never occur"),
        "AlertConfiguration": full("ActivityLifeTests.scheduled", "ActivityKitTests.old"),
        "LocalizedStringResource": partial("Foundation's on Apple's systems; the key is looked up in the app's strings as it is, also with interpolations (`ActivityLifeTests.scheduled`)"),
        "PushType": full("ActivityPushTests.update", "ActivityPushTests.channel"),
    },
    "CoreLocation": {
        "CLLocationManager": partial("as Apple's (`LocationPermissionTests`, `RegionMonitoringTests`, `LocationServiceTests`, `LocationAccuracyTests`); `desiredAccuracy`, `activityType`, pauses, the indicator and `headingOrientation` are stored and have no effect; beacons are reported at each change instead of each second; called on the main thread"),
        "CLLocationManagerDelegate": partial("as Apple's (`RegionMonitoringTests`, `LocationServiceTests`); calibration and pauses never occur"),
        "CLAccuracyAuthorization": full("LocationAccuracyTests.approximate", "LocationAccuracyTests.temporary"),
        "CLActivityType": partial("stored; it has no effect"),
        "CLDeviceOrientation": partial("stored; headings refer to the top of the device"),
        "CLVisit": full("LocationServiceTests.visits", "LocationServiceTests.visitLaunch", "LocationServiceTests.archive"),
        "CLHeading": partial("`LocationServiceTests.headings`; both norths are the same, and the magnetic field is 0"),
        "CLHeadingComponentValue": full("LocationServiceTests.headings"),
        "CLBeacon": full("LocationServiceTests.beacons"),
        "CLProximity": full("LocationServiceTests.beacons"),
        "CLBeaconIdentityConstraint": full("LocationServiceTests.beacons"),
        "CLFloor": full("LocationServiceTests.floor"),
        "CLLocationSourceInformation": full("LocationServiceTests.floor"),
        "CLGeocoder": partial("every request fails with `network`: the emulated device has no map (`LocationServiceTests.geocoder`)"),
        "CLGeocodeCompletionHandler": full("LocationServiceTests.geocoder"),
        "CLPlacemark": partial("compiles; never occurs, because there is no map"),
        "CLMonitor": partial("`MonitorTests.circle`, `MonitorTests.beacons`, `MonitorTests.launch`; of the diagnostics of iOS 18 only `conditionLimitExceeded`"),
        "CLCondition": full("MonitorTests.circle", "MonitorTests.beacons", "MonitorTests.encoded"),
        "CLLocationUpdate": partial("`MonitorTests.live`; the device never counts as stationary, and the configuration has no effect"),
        "CLLocationDirectionAccuracy": full("LocationTests.values"),
        "CLLocationSpeedAccuracy": full("LocationTests.values"),
        "CLTimeIntervalMax": full("LocationTests.status"),
        "kCLHeadingFilterNone": full("PlaceDrivenTests.diary"),
        "kCLLocationAccuracyReduced": full("PlaceDrivenTests.diary"),
        "CLAuthorizationStatus": full("LocationPermissionTests.whenInUse", "LocationPermissionTests.provisional", "LocationPermissionTests.settings"),
        "CLRegionState": full("RegionMonitoringTests.state"),
        "CLError": full("ManagerValueTests.errors", "RegionMonitoringTests.limit", "RegionMonitoringTests.once"),
        "CLLocation": partial("as Apple's (`LocationTests`, `LocationServiceTests.floor`); in locations that the system reports the accuracies of course and speed are unknown"),
        "CLLocationCoordinate2D": full("LocationTests.latitude100"),
        "CLLocationCoordinate2DMake(_:_:)": full("LocationTests.latitude100"),
        "CLLocationCoordinate2DIsValid(_:)": full("LocationTests.latitude100"),
        "CLRegion": full("RegionTests.equality", "RegionTests.legacy"),
        "CLCircularRegion": full("RegionTests.contains", "RegionMonitoringTests.entryOnly", "RegionMonitoringTests.invalid"),
        "CLBeaconRegion": partial("`BeaconRegionTests.crossings`, `BeaconRegionTests.launch`, `BeaconRegionTests.display`; an exit is reported at once, on a phone after some seconds"),
        "CLServiceSession": partial("`LocationSessionTests.asks`, `LocationSessionTests.fullAccuracy`; it may begin in the background too"),
        "CLBackgroundActivitySession": partial("`LocationSessionTests.activity`, `LocationSessionTests.inactive`; no indicator is drawn"),
        "CLLocationDegrees": full("LocationTests.distance"),
        "CLLocationDistance": full("LocationTests.distance"),
        "CLLocationAccuracy": full("LocationTests.distance"),
        "CLLocationSpeed": full("LocationTests.values"),
        "CLLocationDirection": full("LocationTests.values"),
        "CLBeaconMajorValue": full("RegionTests.records"),
        "CLBeaconMinorValue": full("RegionTests.records"),
        "CLLocationDistanceMax": full("LocationTests.status"),
        "kCLErrorDomain": full("ManagerValueTests.errors"),
        "kCLDistanceFilterNone": full("RegionMonitoringTests.updates"),
        "kCLLocationCoordinate2DInvalid": full("LocationTests.latitude100"),
        "kCLLocationAccuracyBestForNavigation": full("ManagerValueTests.rawValues"),
        "kCLLocationAccuracyBest": full("ManagerValueTests.rawValues"),
        "kCLLocationAccuracyNearestTenMeters": full("ManagerValueTests.rawValues"),
        "kCLLocationAccuracyHundredMeters": full("ManagerValueTests.rawValues"),
        "kCLLocationAccuracyKilometer": full("ManagerValueTests.rawValues"),
        "kCLLocationAccuracyThreeKilometers": full("ManagerValueTests.rawValues"),
    },
    "Intents": {
        "INFile": full("MessageDrivenTests.donations"),
        "INImage": partial("`MessageDrivenTests.donations`; addresses other than files' are not loaded, and there are no SF Symbols"),
        "INIntent": partial("copied and given a picture (`MessageDrivenTests.group`); not archived, and no Siri asks for it"),
        "INIntentDonationMetadata": KEPT_INTENT,
        "INIntentHandlingStatus": partial("always `unspecified`"),
        "INIntentResponse": KEPT_INTENT,
        "INIntentSetImageKeyPath": full("MessageDrivenTests.group"),
        "INStartCallIntent": partial("in a notification the caller (`MessageDrivenTests.missedCall`), and in the activity that calls somebody from the list of recent calls (`AppLevelDrivenTests.recentCall`); not archived"),
        "INCallAudioRoute": KEPT_CALL,
        "INCallRecord": KEPT_CALL,
        "INCallRecordFilter": KEPT_CALL,
        "INCallRecordType": KEPT_CALL,
        "INCallRecordTypeOptions": KEPT_CALL,
        "INStartAudioCallIntent": CALL_BACK,
        "INStartVideoCallIntent": CALL_BACK,
        "INCallCapability": CALL_BACK,
        "INCallDestinationType": CALL_BACK,
        "INInteraction": partial("a donation succeeds (`MessageDrivenTests.donations`) and has no effect: the device makes no suggestions"),
        "INInteractionDirection": KEPT_INTENT,
        "INOutgoingMessageType": full("MessageDrivenTests.earlier"),
        "INPerson": partial("as Apple's (`MessageDrivenTests.earlier`, `MessageDrivenTests.names`); not archived, and there are no contacts"),
        "INPersonHandle": full("MessageDrivenTests.earlier"),
        "INPersonHandleLabel": partial("the raw values are Posthorn's own (`MessageDrivenTests.earlier`)"),
        "INPersonHandleType": full("MessageDrivenTests.earlier"),
        "INPersonRelationship": partial("the raw values are Posthorn's own (`MessageDrivenTests.names`)"),
        "INPersonSuggestionType": full("MessageDrivenTests.earlier"),
        "INSendMessageAttachment": KEPT_INTENT,
        "INSendMessageIntent": partial("as Apple's (`MessageDrivenTests.sender`, `MessageDrivenTests.group`, `MessageDrivenTests.earlier`); not archived"),
        "INSendMessageIntentDonationMetadata": KEPT_INTENT,
        "INSpeakable": full("MessageDrivenTests.earlier"),
        "INSpeakableString": full("MessageDrivenTests.earlier"),
    },
    "UserNotifications": {
        "UNUserNotificationCenter": full("LocalNotificationTests.interval", "NotificationValueTests.categories", "LocalNotificationTests.removesPending", "DrivenTests.asyncStyle"),
        "UNUserNotificationCenterDelegate": full("MatrixFileTests.row", "PersonTests.ownSettings", "DrivenTests.chat"),
        "UNAuthorizationOptions": full("NotificationValueTests.rawValues"),
        "UNAuthorizationStatus": partial("`ephemeral` never occurs: there are no App Clips"),
        "UNNotificationSetting": full("NotificationValueTests.settings"),
        "UNAlertStyle": full("PersonTests.permission"),
        "UNShowPreviewsSetting": full("PersonTests.previews"),
        "UNNotificationSettings": full("NotificationValueTests.settings", "NotificationValueTests.fakes", "SummaryTests.settings"),
        "UNNotificationPresentationOptions": full("MatrixFileTests.row"),
        "UNNotificationInterruptionLevel": full("PersonTests.focus", "PersonTests.levels"),
        "UNNotificationDefaultActionIdentifier": full("MatrixFileTests.row"),
        "UNNotificationDismissActionIdentifier": full("MatrixFileTests.row"),
        "UNErrorDomain": full("NotificationValueTests.errors"),
        "UNError": full("NotificationValueTests.errors"),
        "UNNotification": full("NotificationValueTests.userInfo", "NotificationValueTests.fakes"),
        "UNNotificationRequest": full("NotificationValueTests.coding", "RequestRules.contentIsACopy"),
        "UNNotificationResponse": full("NotificationValueTests.coding", "NotificationValueTests.fakes", "SceneTests.coldTap"),
        "UNTextInputNotificationResponse": full("PersonTests.buttons"),
        "UNNotificationActionOptions": full("PersonTests.lockedButtons"),
        "UNNotificationAction": full("NotificationValueTests.equality", "PersonTests.buttons"),
        "UNTextInputNotificationAction": full("NotificationValueTests.textButton"),
        "UNNotificationActionIcon": full("NotificationValueTests.textButton"),
        "UNNotificationCategoryOptions": full("NotificationValueTests.rawValues", "PersonTests.previews", "SettingsRules.car"),
        "UNNotificationCategory": partial("groups and hidden previews as Apple's (`GroupTests`); intents are only stored"),
        "UNNotificationContent": partial("as Apple's (`NotificationValueTests.defaults`, `NotificationValueTests.equality`); `launchImageName` is carried (`PayloadRules.alert`) and has no effect: the screen of the device shows no launch image"),
        "UNMutableNotificationContent": partial("as Apple's (`PersonTests.focusFilter`, `NotificationValueTests.defaults`); `launchImageName` as above"),
        "UNNotificationContentProviding": full("NotificationValueTests.providing", "MessageDrivenTests.sender"),
        "INSendMessageIntent": full("MessageDrivenTests.sender", "MessageDrivenTests.breaksThroughSummary"),
        "INStartCallIntent": full("MessageDrivenTests.missedCall"),
        "UNNotificationAttributedMessageContext": partial("the device shows the text without its formats (`MessageDrivenTests.formatted`)"),
        "UNNotificationAttachment": full("FileRules.words", "AttachmentTests.moved", "AttachmentTests.corrupt"),
        "UNNotificationAttachmentOptionsTypeHintKey": full("FileRules.types"),
        "UNNotificationAttachmentOptionsThumbnailHiddenKey": full("AttachmentTests.thumbnail"),
        "UNNotificationAttachmentOptionsThumbnailClippingRectKey": full("AttachmentTests.clipping", "AttachmentTests.thumbnail"),
        "UNNotificationAttachmentOptionsThumbnailTimeKey": full("AttachmentTests.filmLength", "AttachmentTests.thumbnail"),
        "UNNotificationSound": full("SoundTests.files", "SoundTests.library"),
        "UNNotificationSoundName": full("ContentRules.soundKinds"),
        "NSExtensionMain()": full("ServiceProcessTests.changes", "ServiceProcessTests.overruns"),
        "UNNotificationServiceExtension": full("AttachmentTests.extensionAttaches", "AttachmentTests.lastWord", "AttachmentTests.timedOut"),
        "UNNotificationTrigger": full("NotificationValueTests.coding"),
        "UNPushNotificationTrigger": full("UserNotificationsTests.content", "NotificationValueTests.fakes"),
        "UNTimeIntervalNotificationTrigger": full("LocalNotificationTests.interval", "ErrorRules.impossibleInterval"),
        "UNCalendarNotificationTrigger": full("TriggerRules.weekdays", "LocalNotificationTests.daylightSaving", "LocalNotificationTests.traveller"),
        "UNLocationNotificationTrigger": full("LocalNotificationTests.regionOnEntry", "LocalNotificationTests.regionWithoutAccess"),
        "NSUserActivity": partial("Foundation's on Apple's systems, here declared with UserNotifications and UIKit; given to apps and saved (`AppLevelDrivenTests.linkWithScenes`, `AppLevelDrivenTests.saving`), with the call to somebody from the list of recent calls (`AppLevelDrivenTests.recentCall`); not offered to other devices, to search or to suggestions"),
        "NSUserActivityDelegate": partial("`userActivityWillSave(_:)`; nothing is continued on another device"),
        "NSUserActivityTypeBrowsingWeb": full("AppLevelDrivenTests.linkWithoutScenes"),
        "NSString": full("PersonTests.strings", "LocalizedStringTests.atDelivery"),
        "URL": full("AttachmentTests.delivered"),
        "CGRect": full("AttachmentTests.clipping"),
        "DispatchQueue": ours("Dispatch's own; the work stays with its device (`UserNotificationsTests`)"),
        "DispatchGroup": ours("Dispatch's own; the work stays with its device (`ProcessRules.dispatch`)"),
        "DispatchSourceProtocol": ours("Dispatch's own; the handler stays with its device (`ProcessRules.dispatch`)"),
        "DispatchWorkItem": ours("Dispatch's own; the work stays with its device (`ProcessRules.dispatch`)"),
        "NotificationCenter": ours("Foundation's own; a block hears of its own device alone (`ProcessRules.observers`)"),
        "Task": ours("Swift's own; the task stays with its device (`UserNotificationsTests`)"),
    },
    "AdSupport": {
        "ASIdentifierManager": full("SmallFrameworkTests.advertising"),
    },
    "MobileCoreServices": {
        "CFString": partial("`String`, so that `as CFString` compiles (`SmallFrameworkTests.tags`)"),
        "UnmanagedText": partial("Posthorn's own, in the place of `Unmanaged<CFString>` (`SmallFrameworkTests.tags`)"),
        "kUTTagClassFilenameExtension": full("SmallFrameworkTests.tags"),
        "kUTTagClassMIMEType": full("SmallFrameworkTests.tags"),
        "UTTypeCreatePreferredIdentifierForTag(_:_:_:)": partial("nil for a type that is not declared (`SmallFrameworkTests.tags`), where Apple's makes an identifier up"),
        "UTTypeCopyPreferredTagWithClass(_:_:)": full("SmallFrameworkTests.tags"),
        "UTTypeConformsTo(_:_:)": full("SmallFrameworkTests.tags"),
        "kUTTypeItem": full("SmallFrameworkTests.types"),
        "kUTTypeData": full("SmallFrameworkTests.types"),
        "kUTTypeContent": full("SmallFrameworkTests.types"),
        "kUTTypeText": full("SmallFrameworkTests.types"),
        "kUTTypePlainText": full("SmallFrameworkTests.types"),
        "kUTTypeURL": full("SmallFrameworkTests.types"),
        "kUTTypeJSON": full("SmallFrameworkTests.types"),
        "kUTTypePDF": full("SmallFrameworkTests.types"),
        "kUTTypeImage": full("SmallFrameworkTests.types"),
        "kUTTypePNG": full("SmallFrameworkTests.types"),
        "kUTTypeJPEG": full("SmallFrameworkTests.types"),
        "kUTTypeJPEG2000": full("SmallFrameworkTests.types"),
        "kUTTypeTIFF": full("SmallFrameworkTests.types"),
        "kUTTypePICT": full("SmallFrameworkTests.types"),
        "kUTTypeGIF": full("SmallFrameworkTests.types"),
        "kUTTypeBMP": full("SmallFrameworkTests.types"),
        "kUTTypeQuickTimeImage": full("SmallFrameworkTests.types"),
        "kUTTypeAudiovisualContent": full("SmallFrameworkTests.types"),
        "kUTTypeMovie": full("SmallFrameworkTests.types"),
        "kUTTypeVideo": full("SmallFrameworkTests.types"),
        "kUTTypeAudio": full("SmallFrameworkTests.types"),
        "kUTTypeQuickTimeMovie": full("SmallFrameworkTests.types"),
        "kUTTypeMPEG": full("SmallFrameworkTests.types"),
        "kUTTypeMPEG2Video": full("SmallFrameworkTests.types"),
        "kUTTypeMPEG4": full("SmallFrameworkTests.types"),
        "kUTTypeAVIMovie": full("SmallFrameworkTests.types"),
        "kUTTypeMP3": full("SmallFrameworkTests.types"),
        "kUTTypeMPEG4Audio": full("SmallFrameworkTests.types"),
        "kUTTypeAudioInterchangeFileFormat": full("SmallFrameworkTests.types"),
        "kUTTypeWaveformAudio": full("SmallFrameworkTests.types"),
    },
    "PushKit": {
        "PKPushType": full("CredentialRules.tokens"),
        "PKPushRegistry": partial("credentials for all types (`CredentialRules.tokens`, `CredentialRules.relaunch`, `CredentialRules.invalidated`); pushes of the type `.voIP` (`VoIPPushRules`)"),
        "PKPushRegistryDelegate": full("VoIPPushRules.woken", "CallMetadataRules.onlyOne", "CredentialRules.invalidated", "CallDrivenTests.intercom", "CallDrivenTests.meeting"),
        "PKPushCredentials": full("CredentialRules.tokens", "CallScreenTests.doubles"),
        "PKPushPayload": full("VoIPPushRules.woken", "CallScreenTests.doubles"),
        "PKVoIPPushMetadata": full("CallMetadataRules.mustReport", "CallMetadataRules.delayed", "CallScreenTests.doubles"),
    },
    "CallKit": {
        "CXProvider": full("CallScreenTests.answer", "CallScreenTests.unanswered", "CallScreenTests.updated", "CallScreenTests.outgoing", "CallScreenTests.invalidate", "CallScreenTests.timeout"),
        "CXProviderConfiguration": partial("the limit of groups and the ringtone are used (`CallScreenTests.refused`); the rest is stored"),
        "CXProviderDelegate": full("CallScreenTests.controls", "CallScreenTests.timeout", "CallDrivenTests.meeting"),
        "CXCallUpdate": full("CallScreenTests.updated", "CallScreenTests.notHeld"),
        "CXHandle": full("CallScreenTests.updated"),
        "CXCallEndedReason": full("CallScreenTests.unanswered"),
        "CXAction": partial("10 s until it times out, as Apple documents no duration (`CallScreenTests.timeout`); cannot be archived"),
        "CXCallAction": partial("as `CXAction`"),
        "CXStartCallAction": full("CallScreenTests.outgoing"),
        "CXAnswerCallAction": full("CallScreenTests.answer"),
        "CXEndCallAction": full("CallScreenTests.answer", "CallScreenTests.decline"),
        "CXSetHeldCallAction": full("CallScreenTests.controls"),
        "CXSetMutedCallAction": full("CallScreenTests.controls"),
        "CXSetGroupCallAction": full("CallScreenTests.second"),
        "CXPlayDTMFCallAction": full("CallScreenTests.controls"),
        "CXTransaction": full("CallDrivenTests.meeting"),
        "CXCallController": full("CallScreenTests.outgoing", "CallScreenTests.refused", "CallDrivenTests.intercom"),
        "CXCallObserver": full("CallDrivenTests.intercom"),
        "CXCallObserverDelegate": full("CallDrivenTests.intercom"),
        "CXCall": full("CallDrivenTests.intercom", "CallScreenTests.doubles"),
        "CXError": partial("never raised (`CallScreenTests.codes`)"),
        "CXErrorDomain": partial("never raised"),
        "CXErrorCodeIncomingCallError": full("VoIPPushRules.focus", "VoIPPushRules.duplicate", "VoIPPushRules.noBackgroundMode"),
        "CXErrorDomainIncomingCall": full("CallDrivenTests.intercom"),
        "CXErrorCodeRequestTransactionError": full("CallScreenTests.refused"),
        "CXErrorDomainRequestTransaction": full("CallScreenTests.refused"),
        "CXErrorCodeNotificationServiceExtensionError": full("PayloadFromExtensionRules.errors"),
        "CXErrorDomainNotificationServiceExtension": full("PayloadFromExtensionRules.errors"),
        "CXSetTranslatingCallAction": partial("performed on a connected call (`CallScreenTests.translated`); nothing is translated, and nobody turns it on but the app; cannot be archived"),
        "CXTranslationEngine": partial("accepted (`CallScreenTests.translated`); nothing is translated"),
    },
    "CallAudio": {
        "AVAudioSession": partial("Apple's is in AVFAudio, which Linux lacks; keeps what the app sets, and is interrupted by the calls of other apps (`CallDrivenTests.intercom`, `CallScreenTests.interruption`); plays and records nothing, and the user always allows recording"),
        "AVAudioSessionInterruptionTypeKey": full("CallScreenTests.interruption"),
        "AVAudioSessionInterruptionOptionKey": full("CallScreenTests.interruption"),
        "AVAudioSessionRouteChangeReasonKey": full("CallScreenTests.interruption"),
        "AVAudioSessionRouteDescription": ROUTE,
        "AVAudioSessionPortDescription": ROUTE,
    },
    "LiveCommunicationKit": {
        "Handle": partial("as Apple's (`ConversationTests.values`, `ConversationTests.answered`); raw values, and the value as name of a handle without one, are ours"),
        "Conversation": partial("states, capabilities, updates, events and reasons (`ConversationTests.answered`, `ConversationTests.declined`, `ConversationTests.outgoing`, `ConversationTests.values`); raw values and bits are ours; `activeRemoteMembers` is stored; `members` and capabilities that were never set are none, which is ours; `Sendable` as with Apple's, not `Observable`, which is for SwiftUI"),
        "ConversationAction": partial("30 s until an action of the app times out (`ConversationTests.ownTimeout`), and 10 s for one of the user, as Apple documents no duration (`ConversationTests.timeout`); the texts of failures are ours"),
        "StartConversationAction": full("ConversationTests.outgoing"),
        "JoinConversationAction": full("ConversationTests.answered", "ConversationTests.timeout"),
        "EndConversationAction": full("ConversationTests.answered", "ConversationTests.declined", "ConversationTests.outgoing"),
        "MuteConversationAction": full("ConversationTests.answered"),
        "PauseConversationAction": full("ConversationTests.answered", "ConversationTests.refused"),
        "MergeConversationAction": full("ConversationTests.merged"),
        "UnmergeConversationAction": full("ConversationTests.merged"),
        "PlayToneAction": partial("`ConversationTests.answered`; raw values are ours; the person sends single tones alone"),
        "SetTranslatingAction": partial("performed in a connected conversation (`ConversationTests.outgoing`); nothing is translated, and nobody turns it on but the app"),
        "ConversationManager": partial("as Apple's (`ConversationTests`, `CallDrivenTests.room`), but for `Observable`, which is for SwiftUI; the limit of groups and the ringtone of the configuration are used, the rest is stored; errors are those of CallKit, as an `NSError`; that `conversationManagerDidReset(_:)` follows `invalidate()` is ours"),
        "ConversationManagerDelegate": partial("all methods (`ConversationTests.answered`, `ConversationTests.timeout`, `ConversationTests.invalidate`); called on the main thread, as Apple documents none"),
    },
    "UniformTypeIdentifiers": {
        "UTType": partial("the types of notification attachments and their supertypes (`SmallFrameworkTests.types`, `SmallFrameworkTests.kinds`)"),
    },
    "UIKit": {
        "UIApplication": partial("as Apple's (`UIKitTests`, `MatrixFileTests.row`, `MatrixFileTests.legacyRow`, `LegacyNotificationTests`, `AppLevelDrivenTests`, `BackgroundFetchTests`); `open` supports the schemes of the system and of installed apps and universal links (`UIKitTests.urls`, `OpenURLTests.between`, `AppLevelDrivenTests.unclaimed`); background fetches follow a simple rule, not the user's habits"),
        "UIApplicationDelegate": full("MatrixFileTests.row", "UIKitTests.main", "SceneTests.configured", "SceneTests.forceQuit", "OpenURLTests.withoutScenes", "OpenURLTests.generations", "AppLevelDrivenTests.linkWithoutScenes", "AppLevelDrivenTests.handoff", "AppLevelDrivenTests.shortcutsWithoutScenes", "BackgroundFetchTests.intervals", "BackgroundFetchTests.sessions", "AppLevelDrivenTests.memory", "AppLevelDrivenTests.orientation", "AppActionProcessTests.roundTrip", "LegacyDelegateTests.iOS8", "LegacyDelegateTests.iOS9"),
        "UIUserActivityRestoring": full("AppLevelDrivenTests.linkWithoutScenes"),
        "UIApplicationShortcutItem": partial("as Apple's (`AppLevelDrivenTests.shortcutsWithoutScenes`, `AppLevelDrivenTests.shortcutsWithScenes`); `userInfo` is a `[String: Any]`, because without Objective-C a `String` is no `NSSecureCoding`"),
        "UIMutableApplicationShortcutItem": full("AppLevelDrivenTests.shortcutsWithScenes"),
        "UIApplicationShortcutIcon": partial("stored, and shown in the list of the device (`AppLevelDrivenTests.shortcutsWithScenes`); draws nothing"),
        "UIWindowOwner": ours("the `window` of both delegates, so that `delegate?.window??` and a class's own `window` compile as with Apple's (`AppLevelDrivenTests.windows`)"),
        "UIInterfaceOrientation": full("AppLevelDrivenTests.orientation"),
        "UIInterfaceOrientationMask": full("AppLevelDrivenTests.orientation"),
        "UIUserInterfaceIdiom": partial("the emulated device is a phone (`AppLevelDrivenTests.nonisolated`)"),
        "UILocalNotification": partial("as Apple's (`LegacyNotificationTests.schedule`, `LegacyNotificationTests.interval`, `LegacyNotificationTests.zones`, `LegacyNotificationTests.region`, `LegacyDelegateTests`, `DrivenTests.medicine`); `alertAction`, `hasAction` and `alertLaunchImage` are carried and have no effect: the screen of the device has banners and entries, no alerts with buttons, no slider and no launch image"),
        "UIUserNotificationSettings": full("LegacyNotificationTests.settings", "LegacyNotificationTests.denied"),
        "UIUserNotificationCategory": full("LegacyNotificationTests.buttons"),
        "UIMutableUserNotificationCategory": full("LegacyNotificationTests.buttons"),
        "UIUserNotificationAction": full("LegacyNotificationTests.buttons", "LegacyNotificationTests.generations"),
        "UIMutableUserNotificationAction": full("LegacyNotificationTests.buttons", "LegacyNotificationTests.generations"),
        "UIUserNotificationActionBehavior": full("LegacyNotificationTests.generations"),
        "UIUserNotificationActionContext": full("LegacyNotificationTests.buttons"),
        "UIUserNotificationActivationMode": full("MatrixFileTests.legacyRow"),
        "UIUserNotificationTextInputActionButtonTitleKey": full("LegacyNotificationTests.buttons"),
        "UILocalNotificationDefaultSoundName": full("LegacyDelegateTests.content"),
        "UIUserNotificationActionResponseTypedTextKey": full("LegacyDelegateTests.iOS9"),
        "UIUserNotificationType": full("DrivenTests.branchingJPush"),
        "UIRemoteNotificationType": full("LegacyNotificationTests.types", "DrivenTests.branchingJPush"),
        "UIApplicationState": OLD_NAME,
        "UIApplicationLaunchOptionsKey": OLD_NAME,
        "UIBackgroundFetchResult": full("DrivenTests.sync"),
        "UIBackgroundTaskIdentifier": full("UIKitTests.backgroundTasks"),
        "UIBackgroundRefreshStatus": full("UIKitTests.refreshStatus"),
        "UIDevice": partial("name, idiom, model, version, battery and orientation of the emulated device (`UIKitTests.device`); it is never rotated"),
        "UIResponder": partial("the chain from a view to the app's delegate, and the first responder (`SceneTests.responders`, `UIKitTests.firstResponder`); no events are sent along it"),
        "UIResponderWithoutInit": ours("separates `init()` of views and controllers, on the main actor, from `NSObject`'s (`ViewValueTests.initialisers`)"),
        "UIView": partial("the hierarchy, with the calls that follow a move (`ViewValueTests.hierarchy`); other values are kept; draws and lays out nothing, and animations take no time"),
        "UIViewController": partial("Apple's initialisers, life cycle, containment and presentation, in iOS's order (`LifeCycleTests`); transitions take no time; nibs cannot be read (`ContainerTests.storyboards`); draws nothing"),
        "UINavigationController": partial("push and pop with their life cycle (`ContainerTests.navigation`, `ContainerTests.popToRoot`); no bar to touch"),
        "UINavigationControllerDelegate": full("ContainerTests.navigation"),
        "UITabBarController": partial("tabs, selected by the app (`ContainerTests.tabs`); no bar to touch"),
        "UITabBarControllerDelegate": partial("never called: nobody touches a bar"),
        "UITableViewController": partial("is its table's data source and delegate (`ViewDrivenTests.table`); nobody touches rows"),
        "UINavigationItem": KEPT,
        "UINavigationBar": KEPT,
        "UIBarItem": KEPT,
        "UIBarButtonItem": partial("stored (`ViewValueTests.holders`); the app performs its `primaryAction` (`ViewDrivenTests.textField`); targets are never told: Linux has no selectors"),
        "UITabBar": KEPT,
        "UITabBarItem": KEPT,
        "UIModalPresentationStyle": partial("decides whether the presenter disappears (`LifeCycleTests.sheet`, `LifeCycleTests.fullScreen`); other differences would have to be drawn"),
        "UIModalTransitionStyle": KEPT,
        "UIStatusBarStyle": KEPT,
        "UIRectEdge": KEPT,
        "UIStoryboard": partial("compiles, and raises an exception that names storyboard and controller (`ContainerTests.storyboards`): storyboards cannot be read"),
        "UIStoryboardSegue": partial("stored (`ContainerTests.storyboards`); storyboards cannot be read"),
        "UINib": partial("compiles, and raises an exception that names the nib (`ContainerTests.storyboards`): nibs cannot be read"),
        "Bundle": partial("`loadNibNamed(_:owner:options:)` as `UINib`"),
        "UIAlertController": full("AlertTests.tap", "AlertTests.text", "AlertTests.background", "AlertProcessTests.answered", "ViewDrivenTests.actionSheet"),
        "UIAlertAction": full("AlertTests.tap", "AlertTests.notThere", "ViewDrivenTests.textField"),
        "UIAlertView": full("ViewDrivenTests.alertView", "ViewDrivenTests.oldQuestions", "AlertTests.stack"),
        "UIAlertViewDelegate": full("ViewDrivenTests.alertView"),
        "UIAlertViewStyle": full("ViewDrivenTests.oldQuestions"),
        "UIActionSheet": full("ViewDrivenTests.oldQuestions"),
        "UIActionSheetDelegate": full("ViewDrivenTests.oldQuestions"),
        "UIControl": partial("runs actions that the app sends (`ViewValueTests.actions`); nobody touches it; targets are never told: Linux has no selectors"),
        "UIAction": partial("runs (`ViewValueTests.actions`); its values for menus are kept"),
        "UIActionHandler": full("ViewValueTests.actions"),
        "UIMenuElement": KEPT,
        "UIMenu": KEPT,
        "UIButton": partial("titles, images and actions (`ViewValueTests.actions`); nobody touches it"),
        "UISwitch": KEPT,
        "UILabel": KEPT,
        "UIImageView": partial("in the size of its image (`ViewValueTests.images`); draws nothing"),
        "UIActivityIndicatorView": KEPT,
        "UITextField": partial("a person writes into those of an alert (`AlertTests.text`); editing begins and ends as the app says (`ViewValueTests.textField`)"),
        "UITextFieldDelegate": partial("for fields of an alert (`AlertTests.text`); nobody presses return or clears"),
        "UITextView": KEPT,
        "UITextViewDelegate": partial("never called: nobody writes into a text view"),
        "NSTextContainer": KEPT,
        "UIScrollView": KEPT,
        "UIScrollViewDelegate": partial("never called: nobody scrolls"),
        "UIStackView": KEPT,
        "UITableView": partial("asks its data source at `reloadData()` and `cellForRow(at:)`, as if all rows were visible (`ViewValueTests.table`, `ViewDrivenTests.table`); reloads whole instead of inserting and deleting; nobody touches rows"),
        "UITableViewCell": partial("created by its class and identifier (`ViewDrivenTests.table`); draws nothing"),
        "UITableViewDataSource": partial("rows, sections and cells (`ViewValueTests.table`); titles and editing are never asked for"),
        "UITableViewDelegate": partial("`willDisplay` (`ViewValueTests.table`); the other methods are never called: nobody touches rows"),
        "UIRefreshControl": KEPT,
        "IndexPath": full("ViewValueTests.table"),
        "UIGestureRecognizer": GESTURE,
        "UITapGestureRecognizer": GESTURE,
        "UILongPressGestureRecognizer": GESTURE,
        "UISwipeGestureRecognizer": GESTURE,
        "UIPanGestureRecognizer": GESTURE,
        "NSLayoutConstraint": LAYOUT,
        "NSLayoutAnchor": LAYOUT,
        "NSLayoutXAxisAnchor": LAYOUT,
        "NSLayoutYAxisAnchor": LAYOUT,
        "NSLayoutDimension": LAYOUT,
        "UILayoutGuide": LAYOUT,
        "UILayoutPriority": full("ViewValueTests.rawValues"),
        "UIEdgeInsets": full("ViewValueTests.holders"),
        "UIFont": partial("a name and a size (`ViewValueTests.colours`); no metrics"),
        "UIImage": partial("data, and the size of a PNG or JPEG file (`ViewValueTests.images`); decodes nothing and reads no asset catalogues; a symbol of any name exists"),
        "UITraitCollection": partial("an upright phone, light unless a window, controller or view chooses otherwise (`ViewValueTests.propertyHolders`)"),
        "UIUserInterfaceSizeClass": HOLDER,
        "UIContentSizeCategory": HOLDER,
        "CALayer": HOLDER,
        "UIDatePicker": partial("the date within its bounds (`PublicNameTests.datePicker`); nobody turns it, and the rest is stored"),
        "UIDatePickerStyle": KEPT,
        "UIAccessibility": partial("nothing is switched on, and nobody hears what is posted (`PublicNameTests.screen`)"),
        "UIPopoverPresentationController": partial("stored (`PublicNameTests.popover`); as on a phone, there is no bubble"),
        "UIPopoverArrowDirection": partial("stored (`PublicNameTests.popover`); as on a phone, there is no bubble"),
        "CACornerMask": HOLDER,
        "CGColor": HOLDER,
        "UIAppearance": HOLDER,
        "UIBarMetrics": HOLDER,
        "UIPasteboard": partial("the app's own (`UIKitTests.smallMembers`); other apps do not see it"),
        "UIActivityViewController": HOLDER,
        "UIActivity": HOLDER,
        "UIFeedbackGenerator": HOLDER,
        "UIImpactFeedbackGenerator": HOLDER,
        "UINotificationFeedbackGenerator": HOLDER,
        "UISelectionFeedbackGenerator": HOLDER,
        "UIGestureRecognizerDelegate": TOUCH,
        "UITouch": TOUCH,
        "UIEvent": TOUCH,
        "NotificationCenter": ours("says that `addObserver(_:selector:name:object:)` is not available, and what to write instead"),
        "UIApplicationOpenNotificationSettingsURLString": full("UIKitTests.smallMembers"),
        "UIUserInterfaceStyle": KEPT,
        "NSTextAlignment": KEPT,
        "NSLineBreakMode": KEPT,
        "UIKeyboardType": KEPT,
        "UIReturnKeyType": KEPT,
        "UITextAutocapitalizationType": KEPT,
        "UITextAutocorrectionType": KEPT,
        "UITextContentType": KEPT,
        "Selector": SELECTOR,
        "UIWindow": partial("makes its root appear and disappear (`LifeCycleTests.launch`, `LifeCycleTests.roots`), and is the key window of its scene or app (`AppLevelDrivenTests.windows`); draws nothing"),
        "UIScreen": partial("390 by 844 points"),
        "UIColor": partial("four numbers, those of the light appearance for the system's colours (`ViewValueTests.colours`); reads no asset catalogues"),
        "UIDeviceOrientation": full("UIKitTests.device"),
        "UIApplicationMain(_:_:_:_:)": partial("`UIKitTests.oldEntry`; no subclass of `UIApplication`, and no delegate from a nib"),
        "UIScene": partial("one per app, connected when its process first comes to the foreground (`SceneTests`) or opens a URL, an activity or a quick action (`OpenURLTests`, `AppLevelDrivenTests`)"),
        "UIWindowScene": partial("stores its windows (`SceneTests.responders`); draws nothing"),
        "UISceneSession": partial("lives as long as the app's process (`SceneTests.responders`)"),
        "UISceneConfiguration": partial("only its delegate's class is used (`SceneTests.configured`, `ViewValueTests.sceneConfiguration`); no storyboards"),
        "UISceneDelegate": full("SceneTests.coldTap", "SceneTests.warmTap", "SceneTests.forceQuit", "OpenURLTests.cold", "OpenURLTests.warm", "AppLevelDrivenTests.linkWithScenes", "AppLevelDrivenTests.handoff", "AppLevelDrivenTests.saving"),
        "UIOpenURLContext": full("OpenURLTests.cold", "OpenURLTests.warm"),
        "UIWindowSceneDelegate": full("SceneTests.responders", "DrivenTests.deepLink", "AppLevelDrivenTests.shortcutsWithScenes", "AppLevelDrivenTests.windows"),
        "UNNotificationResponse": full("SceneTests.coldTap", "SceneTests.olderOptions"),
        "NSExtensionContext": partial("of content extensions (`ContentExtensionTests.info`); a notification extension has no input items"),
    },
    "UserNotificationsUI": {
        "UNNotificationContentExtension": full("ContentExtensionTests.options", "ContentExtensionTests.media", "DrivenTests.mediaExtension"),
        "UNNotificationContentExtensionResponseOption": full("ContentExtensionTests.options"),
        "UNNotificationContentExtensionMediaPlayPauseButtonType": full("ContentExtensionTests.media", "ContentExtensionTests.noMedia"),
        "NSExtensionContext": full("ContentExtensionTests.media", "ContentExtensionTests.actions", "ContentExtensionTests.context"),
    },
    "JPushExtension": {
        "JPushNotificationExtensionService": full("JPushReceiptTests.fromExtension", "JPushReceiptTests.silentService", "DrivenTests.currentJPush"),
    },
    "JPush": {
        "JPUSHService": full("JPushTests", "JPushRegistrationTests.events", "JPushRegistrationTests.pushSwitch", "JPushLabelTests.tags", "JPushLabelTests.validation", "JPushLabelTests.durable", "JPushLabelTests.phone", "JPushReceiptTests.inFront", "JPushReceiptTests.launch", "JPushLocalTests.priority", "JPushLocalTests.findAndRemove", "JPushLocalTests.legacy", "JPushTokenTests.voip", "JPushTokenTests.activities"),
        "JPUSHService.setAlias(_:proof:completion:seq:)": PROOFS,
        "JPUSHService.addTags(_:proofs:completion:seq:)": PROOFS,
        "JPUSHService.setTags(_:proofs:completion:seq:)": PROOFS,
        "JPUSHService.setService(_:)": SERVICE,
        "JPUSHService.unregister(_:)": SERVICE,
        "JPUSHService.diagnose(_:)": SERVICE,
        "JPUSHService.sendInBackground()": ours("receipts by a background task on an iPhone (`Interop/test_objective_c.py`); no effect on an emulated phone"),
        "JPUSHService.setAttributes(_:completion:)": ours("texts for the variables of alerts (`JPushLabelTests.attributesAndTopics`)"),
        "JPUSHService.declineTopics(_:completion:)": ours("the topics that the user declines (`JPushLabelTests.attributesAndTopics`)"),
        "JPUSHService.getTopics(_:)": ours("the topics of the app (`JPushLabelTests.attributesAndTopics`)"),
        "JPUSHService.setTags(_:alias:callbackSelector:object:)": SELECTOR,
        "JPUSHService.setTags(_:alias:callbackSelector:target:)": SELECTOR,
        "JPUSHService.setTags(_:callbackSelector:object:)": SELECTOR,
        "JPUSHService.setAlias(_:callbackSelector:object:)": SELECTOR,
        "JPUSHService.setProperties(_:completion:seq:)": PROPERTIES,
        "JPUSHService.deleteProperties(_:completion:seq:)": PROPERTIES,
        "JPUSHService.cleanProperties(_:seq:)": PROPERTIES,
        "JPUSHService.register(forRemoteNotificationTypes:categories:)": partial("asks for permission and a token (`JPushRegistrationTests.oldRegister`); its categories are `UIUserNotificationCategory`, and from iOS 10 on also `UNNotificationCategory`"),
        "JPUSHService.setHeartBeatTimeInterval(_:)": full("JPushRegistrationTests.heartbeat", "JPushRegistrationTests.ranges"),
        "JPUSHService.setLogOFF()": LOG,
        "JPUSHService.setDebugMode()": LOG,
        "JPUSHService.crashLogON()": NOTHING,
        "JPUSHService.setCollectControl(_:)": NOTHING,
        "JPUSHService.setSmartPushEnable(_:)": NOTHING,
        "JPUSHService.setDataInsightsEnable(_:)": NOTHING,
        "JGInforCollectionAuth": NOTHING,
        "JGInforCollectionAuthItems": NOTHING,
        "JPUSHService.startLogPageView(_:)": NOTHING,
        "JPUSHService.stopLogPageView(_:)": NOTHING,
        "JPUSHService.beginLogPageView(_:duration:)": NOTHING,
        "JPUSHService.pageEnter(to:)": IN_APP,
        "JPUSHService.pageLeave(_:)": IN_APP,
        "JPUSHService.setInAppMessageDelegate(_:)": IN_APP,
        "JPUSHService.setNotiInMessageDelegate(_:)": IN_APP,
        "JPUSHService.registerLbsGeofenceDelegate(_:withLaunchOptions:)": GEOFENCE,
        "JPUSHService.removeGeofence(withIdentifier:)": GEOFENCE,
        "JPUSHService.setGeofeneceMaxCount(_:)": partial("more than 20 is an error (`JPushTokenTests.geofences`); no other geofences, see below"),
        "JPUSHService.setGeofenecMaxCount(_:)": partial("more than 20 is an error (`JPushTokenTests.geofences`); no other geofences, see below"),
        "JPUSHService.setGeofenecePeriodForInside(_:)": NOTHING,
        "JPUSHService.setLatitude(_:longitude:)": NOTHING,
        "JPUSHService.setLocation(_:)": NOTHING,
        "JPUSHService.setLocationEanable(_:)": NOTHING,
        "JPUSHService.showLocalNotification(atFront:identifierKey:)": full("DrivenTests.branchingJPush"),
        "JPUSHRegisterDelegate": full("JPushSpellingTests.isCalled", "JPushSettingsSpellingTests.isCalled"),
        "JPUSHOptionalSpellings": full("JPushSettingsSpellingTests.isCalled"),
        "JPUSHImplicitSpellings": full("JPushSettingsSpellingTests.isCalled"),
        "JPUSHGeofenceDelegate": GEOFENCE,
        "JPUSHOptionalGeofenceSpellings": GEOFENCE,
        "JPUSHImplicitGeofenceSpellings": GEOFENCE,
        "JPUSHInAppMessageDelegate": full("JPushInAppTests.road", "JPushInAppTests.oldDelegates"),
        "JPUSHNotiInMessageDelegate": partial("receives in-app messages, with the payload that the notification would have had (`JPushInAppTests.road`, `JPushInAppTests.oldDelegates`): the reference does not distinguish the two"),
        "JPUSHRegisterEntity": full("JPushEntityTests.defaults", "JPushTests"),
        "JPushNotificationIdentifier": full("JPushLocalTests.findAndRemove", "JPushEntityTests.identifier"),
        "JPushNotificationContent": partial("as the SDK's (`JPushLocalTests.content`, `JPushEntityTests.coding`); `action` and `launchImageName` are carried and have no effect, as in `UILocalNotification`"),
        "JPushNotificationTrigger": full("JPushLocalTests.priority", "JPushEntityTests.coding"),
        "JPushNotificationRequest": full("JPushLocalTests.priority", "JPushEntityTests.coding"),
        "JPushNotificationSound": full("JPushLocalTests.content", "JPushEntityTests.coding"),
        "JPushInAppMessage": partial("`JPushInAppTests.road`, `JPushEntityTests.plain`; `target` and `clickAction` stay empty, because a push does not contain them"),
        "JPushCollectControl": partial("stored (`JPushEntityTests.plain`); nothing is read from the device"),
        "JPAuthorizationOptions": full("JPushEntityTests.rawValues"),
        "JPAuthorizationStatus": full("JPushEntityTests.rawValues"),
        "JPUSHTagsOperationCompletion": full("JPushLabelTests.tags"),
        "JPUSHTagValidOperationCompletion": full("JPushLabelTests.tags"),
        "JPUSHAliasOperationCompletion": full("JPushLabelTests.gates"),
        "JPUSHPropertiesOperationCompletion": full("JPushLabelTests.properties"),
        "JPUSHLiveActivityTokenCompletion": full("JPushTokenTests.activities"),
        "Selector": SELECTOR,
        "NSInteger": full("DrivenTests.vendorJPush"),
        "NSUInteger": full("DrivenTests.vendorJPush"),
        "NSNotification": full("JPushRegistrationTests.events", "JPushMessageTests.keys", "JPushEntityTests.rawValues"),
    },
}

ABSENT = {
    "ActivityKit": [
        ("`ActivityConfiguration`, `DynamicIsland`, `ActivityViewContext`", "they are of WidgetKit and SwiftUI, which do not exist on Linux; the emulated device shows the content state as text"),
        ("`LiveActivityIntent`", "needs AppIntents, which Linux does not have"),
    ],
    "CoreLocation": [
        ("\"Allow Once\"", "the emulated user allows until the setting is changed"),
        ("`CLLocationManagerDelegate.locationManager(_:didFinishDeferredUpdatesWithError:)`, `allowDeferredLocationUpdates(untilTraveled:timeout:)`, `disallowDeferredLocationUpdates()`, `deferredLocationUpdatesAvailable()`", "deprecated; Apple's systems have not deferred updates since iOS 13"),
        ("`CLBeaconRegion.peripheralData(withMeasuredPower:)`", "the device is no beacon itself"),
        ("`CLError.alternateRegion`, `kCLErrorUserInfoAlternateRegionKey` (iOS 5)", "no region is replaced by another: a place has no error here"),
        ("`CLBodyIdentifiable`, `CLLocationManager.headingBody` (iOS 27)", "the emulated phone has no body that it turns with"),
        ("the diagnostics of `CLMonitor.Event` but the limit of conditions (iOS 18): `CLMonitor.Event.accuracyLimited`, `CLMonitor.Event.authorizationDenied`, `CLMonitor.Event.authorizationDeniedGlobally`, `CLMonitor.Event.authorizationRequestInProgress`, `CLMonitor.Event.authorizationRestricted`, `CLMonitor.Event.conditionUnsupported`, `CLMonitor.Event.insufficientlyInUse`, `CLMonitor.Event.persistenceUnavailable`, `CLMonitor.Event.serviceSessionRequired`, `CLLocationUpdate.insufficientlyInUse`", "`CLServiceSession` and `CLBackgroundActivitySession` have them"),
        ("`startMonitoringLocationPushes(completion:)`, `CLLocationPushServiceExtension`, `CLLocationPushServiceError`, `CLLocationPushServiceErrorDomain`", "location pushes need an entitlement that Apple grants, and an extension of their own"),
        ("`CLHistoricalLocation`, `requestHistoricalLocations(purposeKey:sampleCount:completionHandler:)`", "the emulated device keeps no history"),
        ("`CLPlacemark.postalAddress`, `CLPlacemark.init(location:name:postalAddress:)`, `geocodePostalAddress(_:completionHandler:)`, `geocodePostalAddress(_:preferredLocale:completionHandler:)`", "need Contacts, which Linux does not have"),
        ("`CLPlacemark.addressDictionary`, `geocodeAddressDictionary(_:completionHandler:)`", "deprecated in iOS 11; there is no map"),
    ],
    "CallKit": [
        ("Call Directory (iOS 10 to 13.4): `CXCallDirectoryProvider`, `CXCallDirectoryExtensionContext`, `CXCallDirectoryExtensionContextDelegate`, `CXCallDirectoryManager`, `CXErrorCodeCallDirectoryManagerError`, `CXErrorDomainCallDirectoryManager`, `CXCallDirectoryPhoneNumber`, `CXCallDirectoryPhoneNumberMax`", "the emulated phone has no directory of numbers, and gets calls from apps alone; put the extension into a target of its own, or inside `#if canImport(Darwin)`"),
        ("`CXSetTranslatingCallAction.init(coder:)` (iOS 26)", "actions cannot be archived here"),
        ("`CXCall.callNotesStatus`, `CXCallNotesStatus` (iOS 27.2, beta 3)", "behind a macro of the header; in no released SDK"),
    ],
    "LiveCommunicationKit": [
        ("for dialer apps (iOS 26): `TelephonyConversationManager`, `StartCellularConversationAction`, `CellularService`, `ConversationHistoryManager` with `RecentConversation` and `ConversationHistoryDidUpdate`, `NotificationCenter.MessageIdentifier.conversationHistoryDidUpdateMessage`", "they need the entitlement `com.apple.developer.dialing-app` and a SIM, and the emulated phone has no list of recent calls"),
    ],
    "Intents": [
        ("the intents but `INSendMessageIntent` and the three of calls, `INSendMessageIntentHandling`, `INStartCallIntentHandling`, `INExtension`, `INSendMessageIntentResponse`", "nobody asks an app for them: there is no Siri"),
        ("`INFocusStatusCenter`", "apps do not learn of a Focus here"),
        ("`NSUserActivityTypes`", "not checked: a notification takes an intent without it"),
        ("`NSSecureCoding` of the classes", "nothing on the device archives them"),
    ],
    "UserNotifications": [
        ("`UNCalendarNotificationTrigger.init(dateMatchingComponents:repeats:)`", "the spelling of Swift 2; since Swift 3 it is `init(dateMatching:repeats:)`"),
        ("`UNMutableNotificationContent.appEntityIdentifiers`", "iOS 27; an `EntityIdentifier` is made from an `AppEntity` of AppIntents, which Linux does not have, and a module with a few of its names would make `#if canImport(AppIntents)` true in apps: write it inside that condition"),
    ],
    "UIKit": [
        ("state restoration (iOS 6 to 15): `UIApplication.completeStateRestoration()`, `UIApplication.extendStateRestoration()`, `UIApplication.ignoreSnapshotOnNextApplicationLaunch()`, `UIApplication.registerObject(forStateRestoration:restorationIdentifier:)`, `UIApplication.stateRestorationBundleVersionKey`, `UIApplication.stateRestorationSystemVersionKey`, `UIApplication.stateRestorationTimestampKey`, `UIApplication.stateRestorationUserInterfaceIdiomKey`, `UIApplication.stateRestorationViewControllerStoryboardKey`, `UIApplicationDelegate.application(_:shouldSaveApplicationState:)`, `UIApplicationDelegate.application(_:shouldRestoreApplicationState:)`, `UIApplicationDelegate.application(_:shouldSaveSecureApplicationState:)`, `UIApplicationDelegate.application(_:shouldRestoreSecureApplicationState:)`, `UIApplicationDelegate.application(_:willEncodeRestorableStateWith:)`, `UIApplicationDelegate.application(_:didDecodeRestorableStateWith:)`, `UIApplicationDelegate.application(_:viewControllerWithRestorationIdentifierPath:coder:)`, `UIScene.completeStateRestoration()`, `UIScene.extendStateRestoration()`, `UISceneDelegate.stateRestorationActivity(for:)`, `UISceneDelegate.scene(_:restoreInteractionStateWith:)`", "the device saves no state of an app: each launch starts anew"),
        ("the messages of `NotificationCenter` (iOS 26): `UIApplication.BackgroundRefreshStatusDidChangeMessage`, `UIApplication.DidBecomeActiveMessage`, `UIApplication.DidEnterBackgroundMessage`, `UIApplication.DidFinishLaunchingMessage`, `UIApplication.DidReceiveMemoryWarningMessage`, `UIApplication.ProtectedDataDidBecomeAvailableMessage`, `UIApplication.ProtectedDataWillBecomeUnavailableMessage`, `UIApplication.SignificantTimeChangeMessage`, `UIApplication.UserDidTakeScreenshotMessage`, `UIApplication.WillEnterForegroundMessage`, `UIApplication.WillResignActiveMessage`, `UIApplication.WillTerminateMessage`, `UIScene.DidActivateMessage`, `UIScene.DidEnterBackgroundMessage`, `UIScene.SystemProtectionDidChangeMessage`, `UIScene.WillConnectMessage`, `UIScene.WillDeactivateMessage`, `UIScene.WillEnterForegroundMessage`", "Linux Foundation has no `NotificationCenter.MainActorMessage`; observe the notification of the same name"),
        ("the status bar (iOS 2 to 13): `UIApplication.isStatusBarHidden`, `UIApplication.statusBarStyle`, `UIApplication.statusBarOrientationAnimationDuration`, `UIApplication.setStatusBarHidden(_:with:)`, `UIApplication.setStatusBarOrientation(_:animated:)`, `UIApplication.setStatusBarStyle(_:animated:)`, `UIApplication.isNetworkActivityIndicatorVisible`, `UIApplication.didChangeStatusBarFrameNotification`, `UIApplication.didChangeStatusBarOrientationNotification`, `UIApplication.willChangeStatusBarFrameNotification`, `UIApplication.willChangeStatusBarOrientationNotification`, `UIApplication.statusBarFrameUserInfoKey`, `UIApplication.statusBarOrientationUserInfoKey`, `UIApplicationDelegate.application(_:didChangeStatusBarFrame:)`, `UIApplicationDelegate.application(_:didChangeStatusBarOrientation:)`, `UIApplicationDelegate.application(_:willChangeStatusBarFrame:)`, `UIApplicationDelegate.application(_:willChangeStatusBarOrientation:duration:)`", "deprecated; nothing is drawn, and the device is never rotated"),
        ("events (iOS 2 to 4): `UIApplication.sendAction(_:to:from:for:)`, `UIApplication.sendEvent(_:)`, `UIApplication.beginIgnoringInteractionEvents()`, `UIApplication.endIgnoringInteractionEvents()`, `UIApplication.isIgnoringInteractionEvents`, `UIApplication.beginReceivingRemoteControlEvents()`, `UIApplication.endReceivingRemoteControlEvents()`, `UIApplication.applicationSupportsShakeToEdit`, `UIApplication.userInterfaceLayoutDirection` (iOS 5), `UIApplication.userDidTakeScreenshotNotification` (iOS 7), `UIApplicationDelegate.applicationShouldAutomaticallyLocalizeKeyCommands(_:)` (iOS 15), `UIApplication.invalidInterfaceOrientationException` (iOS 6)", "nobody touches views, shakes the device or takes a screenshot, and no headset has buttons"),
        ("several scenes: `UIApplication.activateSceneSession(for:errorHandler:)` (iOS 17), `UIApplication.requestSceneSessionDestruction(_:options:errorHandler:)`, `UIApplication.requestSceneSessionRefresh(_:)`, `UIScene.activationConditions` (iOS 13), `UIScene.destructionConditions`, `UIScene.DestructionCondition` (iOS 26), `UIScene.subtitle` (iOS 15), `UIScene.pointerLockState` (iOS 14), `UIWindowSceneDelegate.preferredWindowingControlStyle(for:)`, `UIWindowSceneDelegate.windowScene(_:didUpdateEffectiveGeometry:)` (iOS 26), `UIWindowSceneDelegate.windowScene(_:didUpdate:interfaceOrientation:traitCollection:)` (iOS 13), `UISceneSession.Role.windowExternalDisplay` (iOS 13 to 16), `UISceneSession.Role.windowAssistiveAccessApplication` (iOS 26), `UISceneSession.Role.windowCameraCaptureAccessory` (iOS 27.1), `UIScene.ConnectionOptions.sceneAccessoryUserInfo` (iOS 27)", "an app has one scene, which fills the one screen of a phone"),
        ("what other frameworks give an app: `UIScene.ConnectionOptions.appIntent`, `UIScene.ConnectionOptions.shouldHandleActiveWorkoutRecovery` (iOS 26), `UIScene.ConnectionOptions.gameControllerActivationContext` (iOS 18), `UIScene.ConnectionOptions.nfcEvent`, `UIScene.ConnectionOptions.credentialSessionEvent`, `UIScene.ConnectionOptions.marketplaceDisplayOption` (iOS 17.4), `UIScene.ConnectionOptions.cloudKitShareMetadata` (iOS 13), `UIWindowSceneDelegate.windowScene(_:userDidAcceptCloudKitShareWith:)` (iOS 13), `UIApplicationDelegate.application(_:userDidAcceptCloudKitShareWith:)`, `UIApplication.LaunchOptionsKey.cloudKitShareMetadata` (iOS 10), `UIApplication.LaunchOptionsKey.bluetoothCentrals`, `UIApplication.LaunchOptionsKey.bluetoothPeripherals` (iOS 7), `UIApplication.LaunchOptionsKey.eventAttribution`, `UIApplication.OpenURLOptionsKey.eventAttribution`, `UIApplication.OpenExternalURLOptionsKey.eventAttribution`, `UIScene.OpenURLOptions.eventAttribution` (iOS 14.5), `UIApplicationDelegate.application(_:handlerFor:)` (iOS 14), `UIApplicationDelegate.application(_:handle:completionHandler:)` (iOS 11), `UIApplicationDelegate.application(_:handleWatchKitExtensionRequest:reply:)` (iOS 8.2), `UIApplicationDelegate.applicationShouldRequestHealthAuthorization(_:)` (iOS 9), `UIApplicationShortcutIcon.init(contact:)` (iOS 9)", "Linux does not have them"),
        ("`UIScene.open(_:options:completionHandler:)`, `UIScene.OpenExternalURLOptions` (iOS 13)", "`UIApplication.open(_:options:completionHandler:)` does the same"),
        ("`UIScene.systemProtectionManager`, `UIScene.systemProtectionDidChangeNotification` (iOS 18)", "the device does not protect an app with Face ID"),
        ("`UIApplication.isDefault(_:)`, `UIApplication.Category`, `UIApplication.CategoryDefaultError` (iOS 18.2), `UIApplication.openDefaultApplicationsSettingsURLString` (iOS 18.3)", "the device has no default apps"),
        ("`UIApplication.ExtensionPointIdentifier`, `UIApplicationDelegate.application(_:shouldAllowExtensionPointIdentifier:)` (iOS 8)", "the device has no keyboards"),
        ("`UIApplicationDelegate.applicationDidFinishLaunching(_:)` (iOS 2)", "the form without options: write `application(_:didFinishLaunchingWithOptions:)`, which is called since iOS 3"),
        ("of iOS 9 and earlier: `UIApplication.setKeepAliveTimeout(_:handler:)`, `UIApplication.clearKeepAliveTimeout()`, `UIMinimumKeepAliveTimeout` (iOS 4), `UIApplication.setNewsstandIconImage(_:)`, `UIApplication.LaunchOptionsKey.newsstandDownloads` (iOS 5), `UIApplication.LaunchOptionsKey.annotation` (iOS 3.2)", "PushKit takes the place of the first three, and there is no Newsstand"),
        ("the async spellings of `application(_:handleActionWithIdentifier:…)`", "the API of iOS 8 and 9 is older than `async`"),
        ("`@UIApplicationMain`", "the attribute crashes the compiler on Linux; write `@main`"),
        ("SwiftUI", "it does not exist on Linux"),
    ],
    "WidgetKit": [
        ("`WidgetPushHandler`, `WidgetPushInfo`, `WidgetInfo`, `WidgetCenter` and the whole module", "widgets are drawn by SwiftUI, which does not exist on Linux, and a module with a few names would make `#if canImport(WidgetKit)` true in apps; a test places a widget with `Device.placeWidget(_:of:)`, and reads the token that a handler would be given with `widgetToken(of:)`"),
    ],
    "BackgroundTasks": [
        ("`BGTaskScheduler`, `BGAppRefreshTask`, `BGAppRefreshTaskRequest`, `BGProcessingTask` and the whole module (iOS 13)", "the phone launches an app in the background for pushes, places, transfers and the fetches of `setMinimumBackgroundFetchInterval(_:)`; put tasks inside `#if canImport(BackgroundTasks)`"),
    ],
    "JPush": [
        ("`pullInMessage…`, `triggerInMessage…`, `setInMessageDelegate`, `setInMessageSuperView`, `currentViewControllerName`, `JPushInMessageDelegate`", "the first generation of in-app messages, gone since SDK 5.0"),
        ("properties, crash and page reports behind their calls", "the service has none of them"),
        ("geofences of the service: `jpushCallbackGeofenceReceived(_:)`, `jpushGeofenceIdentifer(_:didEnterRegion:error:)` and `didExitRegion`, `jpushGeofenceRegion(_:error:)` for a border that was crossed, error 7000, what `setGeofeneceMaxCount(_:)`, `setGeofenecePeriodForInside(_:)` and `setLocationEanable(_:)` change about them", "the hosted service has them, and no source documents the content of a geofence, how it is sent (`options.geofence` of a push is an object without known members), or the app's callbacks; an app that monitors regions itself uses `CLLocationManager`, which is supported"),
        ("the switch for diagnostics of SDK 6.3", "the release notes of jpush-react-native 3.3.0 mention it (诊断开关); on 27 November 2026 nothing public named it: the last version in the vendor's change log is 6.1.0, the last public header is of 6.0.0, and neither the vendor's plug-ins nor other public code calls it; Posthorn collects no diagnostics"),
    ],
}


# Names of Foundation and other modules of Apple's that are declared in these, because Linux does not have them.
FOREIGN = {
    "UserNotifications": {"NSUserActivity", "NSUserActivityDelegate", "NSUserActivityTypeBrowsingWeb", "NSExtensionMain()"},
    "ActivityKit": {"LocalizedStringResource"},
}

# The part of a module that the list of names holds, by the beginnings of its types: notifications, scenes and the life of an app.
PART = {"UIKit": re.compile(
    r"UI(?:Mutable)?(?:Application|UserNotification)|UI(?:Local|Remote)Notification|UIBackground|UIScene(?:Delegate|Session|Configuration)?\b"
    r"|UIWindowSceneDelegate|UIOpenURLContext|UIUserActivityRestoring|UIMinimumKeepAlive"
)}

# Members that a conformance or a superclass brings on Apple's systems, and that the list of names leaves out, or the compiler here.
BROUGHT = {
    "NSObject": {"init()", "hash", "isEqual(_:)", "description", "classForCoder()", "mutableCopy()"},
    "NSCopying": {"copy(with:)"},
    "NSMutableCopying": {"mutableCopy(with:)"},
    "NSCoding": {"init(coder:)", "encode(with:)"},
    "NSSecureCoding": {"init(coder:)", "encode(with:)", "supportsSecureCoding"},
    "Decodable": {"init(from:)"},
    "Encodable": {"encode(to:)"},
    "OptionSet": {"Element", "ArrayLiteralElement"},
    "AsyncSequence": {"AsyncIterator"},
    "AsyncIteratorProtocol": {"Element"},
    "Actor": {"unownedExecutor"},
    "LocalizedError": {"errorCode", "errorDomain", "errorUserInfo", "helpAnchor"},
    "UIResponder": {"next"},
}

# Conformances that others imply, or that the sources of the list of names do not tell for all types.
IMPLIED = {"Copyable", "Escapable", "BitwiseCopyable", "Sendable", "SendableMetatype", "Equatable", "RawRepresentable", "SetAlgebra",
           "ExpressibleByArrayLiteral"}

# Symbols that Apple's documentation lists under a framework, and that another module declares.
ELSEWHERE = {"UserNotifications": {"UNNotificationResponse.targetScene": "UIKit"}}


def symbols(module):
    found = collections.defaultdict(set)
    for graph in symbol_graphs.graphs(module, BUILD):
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            found[path[0]].add(".".join(path[1:]))
            # The compiler leaves out the `rawValue` of an enumeration, though not its `init(rawValue:)`.
            if path[-1] == "init(rawValue:)":
                found[path[0]].add(".".join(path[1:-1] + ["rawValue"]))
    return found


def ancestors(graphs):
    """The superclasses and protocols of each type, without those of the superclasses."""
    found = collections.defaultdict(set)
    titles = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for graph in graphs for symbol in graph["symbols"]}
    for graph in graphs:
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in titles:
                name = titles.get(relation["target"]) or relation.get("targetFallback", "").rpartition(".")[2]
                found[titles[relation["source"]]].add(name)
    return found


def details(graphs, types):
    """What Scripts/names.tsv tells of some names: the conformances of a type, and the type of a method's last parameter in each overload."""
    found = collections.defaultdict(set)
    for name, kinds in types.items():
        found[f"{name}:"] |= kinds - IMPLIED
    for graph in graphs:
        for symbol in graph["symbols"]:
            if parameters := symbol.get("functionSignature", {}).get("parameters"):
                words = [part["spelling"] for part in parameters[-1]["declarationFragments"] if part["kind"] == "typeIdentifier"]
                found[".".join(symbol["pathComponents"])].update(words[-1:])
    return found


def names():
    """The names of Scripts/names.tsv, by framework, each with the version of iOS that introduced it."""
    listed = collections.defaultdict(dict)
    for line in pathlib.Path(ROOT, "Scripts/names.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            framework, name, _, since, *_ = line.split("\t")
            listed[framework][name] = since
    return listed


def is_refused(symbol):
    """Whether a compiler of Swift 5 and later refuses the use of a symbol."""
    return any(rule.get("isUnconditionallyUnavailable") or rule.get("domain", "").lower() == "swift" and "obsoleted" in rule
               for rule in symbol.get("availability", ()))


def compared(module, listed):
    """Says how many of a framework's names are here, and how many are absent.

    Exits with 1 if a name is neither here nor in ABSENT, and if one is here that Apple does not have.
    """
    if not listed:
        return ""
    here, foreign, part = {}, set(), PART.get(module)
    graphs = symbol_graphs.graphs(module, BUILD)
    types = ancestors(graphs)
    more = [name for name in listed if " " in name]
    listed = {name: since for name, since in listed.items() if " " not in name}
    for graph in graphs:
        for symbol in graph["symbols"]:
            path, extended = symbol["pathComponents"], symbol.get("swiftExtension", {}).get("extendedModule", module)
            if part and not part.match(path[0]) or is_refused(symbol):
                continue
            both = [path, path[:-1] + ["rawValue"]] if path[-1] == "init(rawValue:)" else [path]
            here.update((".".join(each).lower(), ".".join(each)) for each in both)
            if extended != module or path[0] in FOREIGN.get(module, ()):
                foreign.update(".".join(each).lower() for each in both)
    words = {word.lower() for what, _ in ABSENT.get(module, []) for word in re.findall(r"`([^`]+)`", what)}
    known = {name.lower() for name in listed}

    def is_absent(name):
        parts = name.lower().split(".")
        return any(".".join(parts[:end]) in words for end in range(1, len(parts) + 1)) or parts[-1] in words

    def is_async(name):
        """Whether a name is that of a listed method with a completion handler, without it."""
        start = name.removesuffix(")").removesuffix("_:")
        owner, _, own = start.rpartition(".")
        handler = re.compile(r"(?:completion|completionhandler|_):\)$")
        return any(other.startswith((start, f"{owner}.get{own}")) and handler.search(other) for other in known)

    def is_brought(name):
        owner, _, member = name.rpartition(".")
        kinds = set(types.get(owner, ()))
        while new := {kind for name in kinds for kind in types.get(name, ())} - kinds:
            kinds |= new
        return any(member in BROUGHT.get(kind, ()) for kind in kinds)

    wanted = collections.defaultdict(set)
    for name in more:
        base, _, detail = name.rpartition(" ")
        wanted[base].add(detail)
    found = details(graphs, types)
    if wrong := sorted(f"{base} {detail}" for base, words in wanted.items() for detail in words ^ found[base]):
        sys.exit(f"overloads or conformances of {module} that are here alone or in Scripts/names.tsv alone: " + ", ".join(wrong))
    elsewhere = {name.lower() for name in ELSEWHERE.get(module, {})}
    lacking = sorted(f"{name} ({since})" for name, since in listed.items()
                     if name.lower() not in here.keys() | elsewhere and not is_absent(name) and not is_brought(name))
    if lacking:
        sys.exit(f"names of {module} in Scripts/names.tsv that are neither here nor in ABSENT: " + ", ".join(lacking))
    surplus = sorted(name for lower, name in here.items()
                     if lower not in known | foreign and not is_brought(name) and not is_async(lower))
    if surplus:
        sys.exit(f"names of {module} that are here and not in Scripts/names.tsv, so that an app may compile here alone: " + ", ".join(surplus))
    count = len(known & here.keys())
    what = "names of notifications, scenes and the life of an app" if part else "names"
    return f" Of Apple's {len(known)} {what} (`Scripts/names.tsv`), {count} are here; the others are absent (see below), or come with a conformance."


def documented(module, found):
    """Says how many of the symbols in Apple's documentation are here, where there is a list of them.

    Exits with 1 if one is neither in the build nor in ABSENT.
    """
    listed = pathlib.Path(ROOT, "Scripts", f"{module.lower()}.txt")
    if not listed.exists():
        return ""
    names = {line for line in listed.read_text().splitlines() if line and not line.startswith("#")}
    here = {f"{name}.{member}".rstrip(".").lower() for name, members in found.items() for member in members}
    elsewhere = {symbol.lower(): where for symbol, where in ELSEWHERE.get(module, {}).items()}
    absent = {word.lower() for what, _ in ABSENT[module] for word in re.findall(r"`([^`]+)`", what)}
    if unknown := sorted(names - here - elsewhere.keys() - absent):
        sys.exit(f"Apple's documentation of {module} has symbols that are neither here nor in ABSENT: " + ", ".join(unknown))
    away = [f"`{symbol}` is in {where}" for symbol, where in ELSEWHERE.get(module, {}).items()]
    count = len(names & absent)
    absences = f"{count} {'is' if count == 1 else 'are'}"
    return (f" Apple's documentation lists {len(names)} symbols of {module} in iOS 10 to 27 (`Scripts/{listed.name}`): {len(names & here)} are "
            f"here, {', '.join(away)}, and {absences} absent (see below). The number above is higher, because it also counts "
            "what Apple's pages leave out: `rawValue`, the async spellings, the members of `NSCopying`, `NSSecureCoding` and `NSObject` that each class "
            "declares itself, and what belongs to other frameworks of Apple's and is declared here (`NSUserActivity`, the overloads marked *ours*).")


def tests():
    """The names of all tests, as Suite.function."""
    found = set()
    for file in pathlib.Path(ROOT, "Tests").rglob("*.swift"):
        suite = None
        for line in file.read_text().splitlines():
            if match := re.match(r"(?:@?[\w()]+ )*(?:struct|class|enum|extension|actor) (\w+)", line):
                suite = match[1]
            elif match := re.match(r"\s*(?:@\w+(?:\(.*\))? )*func `?(\w+)`?\(", line):
                found.add(f"{suite}.{match[1]}")
    return found


def main():
    lines = ["# The frameworks: supported symbols", "",
             "Written by `Scripts/ledger.py` from the compiler's symbol graphs; do not edit by hand.", "",
             "A public name is a declaration in the compiler's symbol graph: a type, a member, a function or a constant, without the members that the compiler "
             "synthesizes, but with `rawValue` beside each `init(rawValue:)`, which the graph leaves out of enumerations and sources write "
             "as often. Two overloads with the same name and labels count once.", "",
             "*full*: behaves as Apple's, as checked by the named test; *partial*: with the stated limits; *ours*: what apps do not see, or what a compiler of Swift 5 refuses; in JPush, Posthorn's additions.", ""]
    missing = []
    listed = names()
    for module, table in TABLE.items():
        found = symbols(module)
        count = sum(len(members) for members in found.values())
        lines += [f"## {module}", "", f"{count} public names.{compared(module, listed.get(module))}{documented(module, found)}", "", "| type | | how | members |", "|---|---|---|---|"]
        for name in sorted(found):
            if name not in table:
                missing.append(f"{module}.{name}")
                continue
            status, how = table[name]
            apart = [member for member in sorted(found[name]) if f"{name}.{member}" in table]
            members = ", ".join(f"`{member}`" for member in sorted(found[name]) if member and member not in apart)
            lines.append(f"| `{name}` | {status} | {how} | {members} |")
            rows = collections.defaultdict(list)
            for member in apart:
                rows[table[f"{name}.{member}"]].append(f"`{member}`")
            lines += [f"| `{name}` | {status} | {how} | {', '.join(members)} |" for (status, how), members in rows.items()]
        lines.append("")
    lines += ["## Absent", "", "| module | what | why |", "|---|---|---|"]
    lines += [f"| {module} | {what} | {why} |" for module, rows in ABSENT.items() for what, why in rows]
    if missing:
        sys.exit("not in the table of Scripts/ledger.py: " + ", ".join(missing))
    text = "\n".join(lines) + "\n"
    named = set(re.findall(r"`(\w+Tests\.\w+)`", text))
    if absent := sorted(named - tests()):
        sys.exit("Scripts/ledger.py names tests that do not exist: " + ", ".join(absent))
    if not OPTIONS.check:
        PAGE.write_text(text)
    elif PAGE.read_text() != text:
        sys.exit(f"{PAGE.relative_to(ROOT)} does not match the build; run Scripts/ledger.py and look at the difference.")


main()
