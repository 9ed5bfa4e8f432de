Pod::Spec.new do |s|
  s.name = 'JCore'
  s.version = ENV['POSTHORN_JCORE'] || '5.5.1'
  s.summary = 'Empty: the client of a Posthorn push service needs nothing of it'
  s.homepage = 'https://example.com/posthorn'
  s.license = { type: 'Apache-2.0', file: 'LICENSE' }
  s.author = 'Posthorn'
  s.source = { path: '.' }
  s.ios.deployment_target = '13.0'
  s.static_framework = true
  s.dependency 'JPush'
end
