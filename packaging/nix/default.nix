# A recipe for Nix. It has not been built by the authors: their machines have no Nix. It needs Swift 6.2 or later in nixpkgs, and the
# sources of swift-log and swift-argument-parser, which swiftpm2nix lists in ./nix (run it in the root of the checkout).
{
  lib, stdenv, swift, swiftpm, swiftpm2nix, pkg-config, gettext, python3, glib,
  dbus, sqlite, utf8proc, xxHash, libadwaita, wayland, xorg, cnats, libsodium,
}:
let
  generated = swiftpm2nix.helpers ../../nix;
in
stdenv.mkDerivation {
  pname = "dragboard";
  version = "0.1.0";
  src = ../..;
  nativeBuildInputs = [ swift swiftpm pkg-config gettext python3 glib ];
  buildInputs = [
    dbus sqlite utf8proc xxHash libadwaita wayland xorg.libxcb xorg.libX11 xorg.libXext cnats libsodium
  ];
  configurePhase = generated.configure;
  dontBuild = true;
  # --all builds the missing programs. The programs of Nix use the Swift libraries of the store.
  installPhase = ''
    packaging/install --all --no-dependencies --toolchain --prefix $out
  '';
  meta = {
    description = "Drag-and-drop pasteboard of the Linux desktop session";
    license = lib.licenses.asl20;
    platforms = lib.platforms.linux;
    mainProgram = "dragboard";
  };
}
