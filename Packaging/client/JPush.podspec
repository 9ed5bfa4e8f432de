Pod::Spec.new do |s|
  s.name = 'JPush'
  s.version = ENV['POSTHORN_JPUSH'] || '6.3.0'
  s.summary = 'The API of JPush over a Posthorn push service'
  s.homepage = 'https://example.com/posthorn'
  s.license = { type: 'Apache-2.0', file: 'LICENSE' }
  s.author = 'Posthorn'
  s.source = { path: '.' }
  s.ios.deployment_target = '13.0'
  s.static_framework = true
  s.source_files = 'Sources/JPush/include/{JPUSHService,JGInforCollectionAuth}.h', 'Sources/JPush/*.m'
  s.dependency 'JPushForApple'
end
