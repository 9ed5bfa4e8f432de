Pod::Spec.new do |s|
  s.name = 'JPushExtension'
  s.version = '1.0.0'
  s.summary = 'The API of JPush for service extensions'
  s.homepage = 'https://example.com/posthorn'
  s.license = { type: 'Apache-2.0', file: 'LICENSE' }
  s.author = 'Posthorn'
  s.source = { path: '.' }
  s.ios.deployment_target = '13.0'
  s.static_framework = true
  s.source_files = 'Sources/JPushExtension/**/*.{h,m}'
  s.dependency 'JPushExtensionForApple'
  s.pod_target_xcconfig = { 'APPLICATION_EXTENSION_API_ONLY' => 'YES' }
end
