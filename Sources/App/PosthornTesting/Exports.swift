// Tests of apps install them on a phone and read its journeys, so one import gives them both.
@_exported public import AppInstallation

@_exported public import class PushDevice.JourneyRecorder
