"""`Interop/sdks/run`, which runs the tests of JPush's SDKs from a checkout. These are not part of the project: a small one stands in."""

import os
import pathlib
import subprocess
import sys

from peers import need
from processes import BINARY

RUN = pathlib.Path(__file__).resolve().parent / "sdks/run"
TEST = """\
require 'minitest/autorun'
require 'json'
require 'net/http'
require 'yaml'
require 'erb'

class PushTest < Minitest::Test
  CONF = YAML.load(ERB.new(File.read('test/config.yml')).result)

  def push(audience)
    uri = URI('https://api.jpush.cn/v3/push')
    request = Net::HTTP::Post.new(uri)
    request.basic_auth(CONF['app_key'], CONF['master_secret'])
    request.body = { platform: 'all', audience: audience, notification: { alert: 'Hello' } }.to_json
    Net::HTTP.start(uri.host, uri.port, use_ssl: true) { |http| http.request(request) }
  end

  def test_a_device_and_its_tag
    [{ registration_id: [CONF['ios_rid']] }, { tag: ['jpush'] }].each { |audience| assert_equal '200', push(audience).code }
  end

  def test_nobody
    assert_equal EXPECTED, JSON.parse(push({ tag: ['nobody'] }).body)['error']['code']
  end

  def test_there_is_no_network
    assert_raises(SystemCallError, SocketError) { TCPSocket.new('192.0.2.1', 443) }
  end
end
"""


def checkout(folder, expected):
    (folder / "test").mkdir(parents=True)
    (folder / "lib").mkdir()
    names = ["app_key", "master_secret", "ios_rid"]
    (folder / "test/config.yml.example").write_text("".join(f"{name}: <%= ENV['{name}'] %>\n" for name in names))
    (folder / "test/push_test.rb").write_text(TEST.replace("EXPECTED", str(expected)))
    return folder


def run(*arguments):
    command = [sys.executable, str(RUN), *map(str, arguments), "--posthorn", str(BINARY)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ)


def test_an_sdk_with_jpushs_addresses_built_in_reaches_the_sandbox(tmp_path):
    need("ruby")
    need("openssl")
    hosts = pathlib.Path("/etc/hosts").read_text()
    done = run("ruby", checkout(tmp_path / "sdk", 1011))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 runs, 4 assertions, 0 failures, 0 errors" in done.stdout
    # The checkout and the machine are as they were.
    assert sorted(path.name for path in (tmp_path / "sdk/test").iterdir()) == ["config.yml.example", "push_test.rb"]
    assert pathlib.Path("/etc/hosts").read_text() == hosts


def test_its_failures_are_those_of_the_script(tmp_path):
    need("ruby")
    done = run("ruby", checkout(tmp_path / "sdk", 7))
    assert done.returncode != 0
    assert "Expected: 7\n  Actual: 1011" in done.stdout


def test_a_missing_checkout_is_said(tmp_path):
    done = run("php", tmp_path / "nowhere")
    assert done.returncode == 1
    assert f"'{tmp_path}/nowhere' is not a folder; expected a checkout of the SDK for php" in done.stderr
