#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds the documentation of all public modules into .build-documentation/site, a static site; any warning (a link that leads nowhere, a
# missing picture) fails. HOSTING_BASE_PATH is the path below which a server offers the site, such as the repository's name on GitHub Pages.
set -euo pipefail
cd "$(dirname "$0")/.."

output=.build-documentation
graphs=$output/symbol-graphs

# Template words and unfilled placeholders are not documentation.
if grep -rnE '@START_MENU_TOKEN@|Lorem ipsum|TODO|FIXME|<#' Sources/CoreMotion/CoreMotion.docc --include='*.md'; then
  echo "The documentation catalogue holds template words (above)." >&2
  exit 1
fi

rm -rf "$output"
mkdir -p "$output"
modules=$(swift package dump-package | python3 -c 'import json, sys
products = json.load(sys.stdin)["products"]
print(*sorted({t for p in products if p["type"].get("library") == ["static"] for t in p["targets"]}))')
# shellcheck disable=SC2086
Scripts/extract-symbol-graph.sh "$graphs" $modules
archives=()
for module in $modules; do
  mkdir "$graphs/$module"
  mv "$graphs/$module".symbols.json "$graphs/$module/"
  # Extensions of other modules' types have files of their own.
  find "$graphs" -maxdepth 1 -name "$module@*.symbols.json" -exec mv {} "$graphs/$module/" \;
  catalogue=Sources/$module/$module.docc
  if [ ! -d "$catalogue" ]; then
    # A page with the sentence of Documentation/Design.md, which the landing page shows, too.
    sentence=$(sed -n "s/^| \`$module\` | \`[A-Za-z]*\` | \(.*\) |$/\1/p" Documentation/Design.md)
    [ -n "$sentence" ] || { echo "Documentation/Design.md does not say what the module $module is for." >&2; exit 1; }
    catalogue=$output/$module.docc
    mkdir "$catalogue"
    printf '# ``%s``\n\n%s\n' "$module" "$sentence" >"$catalogue/$module.md"
  fi
  docc convert "$catalogue" --additional-symbol-graph-dir "$graphs/$module" --output-path "$output/$module.doccarchive" \
    --fallback-display-name "$module" --fallback-bundle-identifier "org.opencoremotion.$module" --warnings-as-errors \
    --transform-for-static-hosting ${HOSTING_BASE_PATH:+--hosting-base-path "$HOSTING_BASE_PATH"}
  archives+=("$output/$module.doccarchive")
done
docc merge "${archives[@]}" --synthesized-landing-page-name OpenCoreMotion --output-path "$output/site"
echo "Documentation: $output/site (serve it with: python3 -m http.server -d $output/site, and open /documentation/)"
