{
  description = "A terminal explorer for Pulumi, Terraform and OpenTofu state and plans";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
      manifest = (builtins.fromTOML (builtins.readFile ../Cargo.toml)).package;
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = manifest.name;
          version = manifest.version;
          src = ../.;
          cargoLock.lockFile = ../Cargo.lock;
          buildFeatures = [ "policy" "remote" ];
          nativeBuildInputs = [ pkgs.installShellFiles ];
          # The tests need a terminal.
          doCheck = false;
          postInstall = ''
            bash packaging/prepare.sh $out/bin/stacklens package-files
            installManPage package-files/man/*
            installShellCompletion --cmd stacklens \
              --bash package-files/completions/stacklens.bash \
              --zsh package-files/completions/_stacklens \
              --fish package-files/completions/stacklens.fish
          '';
          meta = {
            description = manifest.description;
            license = with pkgs.lib.licenses; [
              mit
              asl20
            ];
            mainProgram = "stacklens";
          };
        };
      });
    };
}
