# The pods of this folder, for a Podfile. In a target:
#
#     require_relative 'PATH/pods'
#     posthorn_pods jpush: '6.2.6', jcore: '5.5.1'
#
# The versions are those that a plugin's podspec asks for, such as jpush_flutter's; CocoaPods compares them. A service extension takes
# JPushExtension and what it stands on alone.
POSTHORN_PODS = %w[PosthornClient JPushExtensionForApple JPushExtension JPushForApple JPush JCore].freeze

def posthorn_pods(jpush: nil, jcore: nil, only: POSTHORN_PODS)
  ENV['POSTHORN_JPUSH'] ||= jpush
  ENV['POSTHORN_JCORE'] ||= jcore
  only.each { |name| pod name, path: __dir__ }
end
