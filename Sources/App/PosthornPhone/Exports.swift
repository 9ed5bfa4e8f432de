// A test of an app needs one import: what the kit's interface shows comes with it. Of the model's modules these are single types,
// so that their other names do not meet those of the app.
@_exported public import AppInstallation
@_exported public import UIKit
@_exported public import UserNotifications
@_exported public import UserNotificationsUI

@_exported public import class PushClock.VirtualClock
@_exported public import enum PushDevice.AppCondition
@_exported public import class PushDevice.Device
@_exported public import struct PushDevice.DeviceEvent
@_exported public import struct PushDevice.Focus
@_exported public import struct PushDevice.InstalledApp
@_exported public import class PushDevice.JourneyRecorder
@_exported public import struct PushDevice.NotificationGroup
@_exported public import struct PushDevice.PhoneState
@_exported public import enum PushDevice.PromptPolicy
@_exported public import struct PushDevice.RunFile
@_exported public import struct PushDevice.Screen
@_exported public import struct PushDevice.ShownActivity
@_exported public import struct PushDevice.ShownNotification
@_exported public import struct PushDevice.SystemProfile
@_exported public import struct PushDevice.TimeOfDay
@_exported public import enum PushDevice.UserActionOutcome
@_exported public import enum PushModel.APNSEnvironment
@_exported public import struct PushModel.APNSExpiration
@_exported public import struct PushModel.APNSPriority
@_exported public import struct PushModel.APNSPushType
@_exported public import struct PushModel.Coordinate
@_exported public import struct PushModel.JSONObject
@_exported public import enum PushModel.JSONValue
@_exported public import struct PushModel.JourneyEvent
@_exported public import struct SystemPort.LiveActivityRecord
@_exported public import enum SystemPort.LocationAuthorization
@_exported public import struct SystemPort.RequestRecord
