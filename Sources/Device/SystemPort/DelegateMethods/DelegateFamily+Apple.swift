// Source: Apple, UIApplicationDelegate, UISceneDelegate, UIWindowSceneDelegate, CLLocationManagerDelegate, all versions of iOS.
// A method that the protocol here declares is never looked for in these lists.
extension DelegateFamily {
    static let furtherOfApplications = [
        "applicationDidFinishLaunching(_:)",
        "applicationDidReceiveMemoryWarning(_:)",
        "applicationProtectedDataDidBecomeAvailable(_:)",
        "applicationProtectedDataWillBecomeUnavailable(_:)",
        "applicationShouldAutomaticallyLocalizeKeyCommands(_:)",
        "applicationShouldRequestHealthAuthorization(_:)",
        "applicationSignificantTimeChange(_:)",
        "application(_:continue:restorationHandler:)",
        "application(_:didChangeStatusBarFrame:)",
        "application(_:didChangeStatusBarOrientation:)",
        "application(_:didDecodeRestorableStateWith:)",
        "application(_:didFailToContinueUserActivityWithType:error:)",
        "application(_:didUpdate:)",
        "application(_:handle:completionHandler:)",
        "application(_:handleEventsForBackgroundURLSession:completionHandler:)",
        "application(_:handleOpen:)",
        "application(_:handleWatchKitExtensionRequest:reply:)",
        "application(_:handlerFor:)",
        "application(_:open:sourceApplication:annotation:)",
        "application(_:performActionFor:completionHandler:)",
        "application(_:performFetchWithCompletionHandler:)",
        "application(_:shouldAllowExtensionPointIdentifier:)",
        "application(_:shouldRestoreApplicationState:)",
        "application(_:shouldRestoreSecureApplicationState:)",
        "application(_:shouldSaveApplicationState:)",
        "application(_:shouldSaveSecureApplicationState:)",
        "application(_:supportedInterfaceOrientationsFor:)",
        "application(_:userDidAcceptCloudKitShareWith:)",
        "application(_:viewControllerWithRestorationIdentifierPath:coder:)",
        "application(_:willChangeStatusBarFrame:)",
        "application(_:willChangeStatusBarOrientation:duration:)",
        "application(_:willContinueUserActivityWithType:)",
        "application(_:willEncodeRestorableStateWith:)",
    ]

    static let furtherOfScenes = [
        "scene(_:continue:)",
        "scene(_:didFailToContinueUserActivityWithType:error:)",
        "scene(_:didUpdate:)",
        "scene(_:restoreInteractionStateWith:)",
        "scene(_:willContinueUserActivityWithType:)",
        "stateRestorationActivity(for:)",
    ]

    static let furtherOfWindowScenes = [
        "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)",
        "windowScene(_:performActionFor:completionHandler:)",
        "windowScene(_:userDidAcceptCloudKitShareWith:)",
    ]

    static let furtherOfLocations = [
        "locationManager(_:didFail:withError:)",
        "locationManager(_:didFailRangingFor:error:)",
        "locationManager(_:didFinishDeferredUpdatesWithError:)",
        "locationManager(_:didRange:satisfying:)",
        "locationManager(_:didRangeBeacons:in:)",
        "locationManager(_:didUpdateHeading:)",
        "locationManager(_:didUpdateTo:from:)",
        "locationManager(_:didVisit:)",
        "locationManager(_:rangingBeaconsDidFailFor:withError:)",
        "locationManagerDidPauseLocationUpdates(_:)",
        "locationManagerDidResumeLocationUpdates(_:)",
        "locationManagerShouldDisplayHeadingCalibration(_:)",
    ]
}
