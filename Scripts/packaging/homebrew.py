"""Writes the formula for Homebrew on Linux, which installs the tarball of a release."""

import hashlib
import re

MACHINES = {"x86_64": "on_intel", "aarch64": "on_arm"}
FORMULA = """\
class Posthorn < Formula
  desc "Push service for iOS apps, with an APNs and emulated iPhones for tests"
  homepage "{homepage}"
  version "{version}"
  license "Apache-2.0"

  on_linux do
{machines}
  end

  depends_on :linux
  depends_on "libpq" => :optional

  def install
    prefix.install Dir["bin", "share"]
    pkgshare.install "etc"
  end

  test do
    assert_equal version.to_s, shell_output("#{{bin}}/posthorn --version").strip
    system bin/"posthorn", "demo", "--exit"
  end
end
"""
MACHINE = """\
    {block} do
      url "{url}/{name}"
      sha256 "{digest}"
    end"""


def write(folder, version, url):
    """Writes `posthorn.rb` for the tarballs in the folder, which are offered below the URL. Returns its path."""
    found = sorted(folder.glob(f"posthorn-{version}-linux-*.tar.gz"))
    blocks = []
    for tarball in found:
        machine = re.search(r"-linux-(\w+)\.tar\.gz$", tarball.name)[1]
        digest = hashlib.sha256(tarball.read_bytes()).hexdigest()
        blocks.append(MACHINE.format(block=MACHINES[machine], url=url, name=tarball.name, digest=digest))
    assert blocks, f"{folder} has no tarball of {version}; expected posthorn-{version}-linux-MACHINE.tar.gz"
    path = folder / "posthorn.rb"
    path.write_text(FORMULA.format(version=version, homepage=url, machines="\n".join(blocks)))
    return path
