Pod::Spec.new do |s|
  s.name = 'JPushForApple'
  s.version = '1.0.0'
  s.summary = 'The classes of JPush, over PosthornClient'
  s.homepage = 'https://example.com/posthorn'
  s.license = { type: 'Apache-2.0', file: 'LICENSE' }
  s.author = 'Posthorn'
  s.source = { path: '.' }
  s.ios.deployment_target = '13.0'
  s.static_framework = true
  s.swift_versions = ['5', '6']
  s.source_files = 'Sources/JPushForApple/**/*.swift'
  s.dependency 'PosthornClient'
  s.dependency 'JPushExtensionForApple'
end
