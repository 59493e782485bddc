#!/bin/sh
# Installs the programs that print, and those that scan and photograph. On Debian and its relatives, as root; needs package registries.
set -eu
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
  chromium groff ghostscript enscript libreoffice-writer \
  texlive-latex-base texlive-latex-recommended texlive-latex-extra texlive-fonts-recommended lmodern \
  fonts-liberation fonts-dejavu fonts-crosextra-carlito fonts-crosextra-caladea python3-venv
folder="$HOME/.cache/pulsewire/printed-reports"
python3 -m venv "$folder"
"$folder/bin/pip" install -q numpy==2.* opencv-python-headless==4.* pillow pypdfium2 reportlab
