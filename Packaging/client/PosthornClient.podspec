Pod::Spec.new do |s|
  s.name = 'PosthornClient'
  s.version = '1.0.0'
  s.summary = 'The client of a Posthorn push service'
  s.homepage = 'https://example.com/posthorn'
  s.license = { type: 'Apache-2.0', file: 'LICENSE' }
  s.author = 'Posthorn'
  s.source = { path: '.' }
  s.ios.deployment_target = '13.0'
  s.static_framework = true
  s.swift_versions = ['5', '6']
  s.source_files = 'Sources/PosthornClient/**/*.swift'
  s.resource_bundles = { 'PosthornClientPrivacy' => 'Sources/PosthornClient/PrivacyInfo.xcprivacy' }
  s.pod_target_xcconfig = { 'APPLICATION_EXTENSION_API_ONLY' => 'YES' }
end
