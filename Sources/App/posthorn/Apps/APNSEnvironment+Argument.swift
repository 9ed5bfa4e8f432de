public import ArgumentParser
public import PushModel

extension APNSEnvironment: ExpressibleByArgument {}
