Pod::Spec.new do |s|
  s.name = 'JPushExtensionForApple'
  s.version = '1.0.0'
  s.summary = 'The classes of JPush for service extensions, over PosthornClient'
  s.homepage = 'https://example.com/posthorn'
  s.license = { type: 'Apache-2.0', file: 'LICENSE' }
  s.author = 'Posthorn'
  s.source = { path: '.' }
  s.ios.deployment_target = '13.0'
  s.static_framework = true
  s.swift_versions = ['5', '6']
  s.source_files = 'Sources/JPushExtensionForApple/**/*.swift'
  s.dependency 'PosthornClient'
  s.pod_target_xcconfig = { 'APPLICATION_EXTENSION_API_ONLY' => 'YES' }
end
