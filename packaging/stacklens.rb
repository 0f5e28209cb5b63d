# The release workflow replaces the marks between @ signs.
class Stacklens < Formula
  desc "Terminal explorer for Pulumi, Terraform and OpenTofu state and plans"
  homepage "@ADDRESS@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@ADDRESS@/releases/download/v@VERSION@/stacklens-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256-aarch64-apple-darwin@"
    end
    on_intel do
      url "@ADDRESS@/releases/download/v@VERSION@/stacklens-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256-x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@ADDRESS@/releases/download/v@VERSION@/stacklens-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256-aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@ADDRESS@/releases/download/v@VERSION@/stacklens-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256-x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "stacklens"
    man1.install Dir["man/*.1"]
    man5.install Dir["man/*.5"]
    man7.install Dir["man/*.7"]
    bash_completion.install "completions/stacklens.bash" => "stacklens"
    zsh_completion.install "completions/_stacklens"
    fish_completion.install "completions/stacklens.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/stacklens --version")
    assert_match "brief", shell_output("#{bin}/stacklens schema")
  end
end
