# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# `make demo` and `make test` are all a newcomer needs; the rest is what .ci/run is made of.

# One value for all that is compiled here, so that it is compiled once (Package.swift), for packages that depend on this one, too.
export OPENCOREMOTION_DEVELOP ?= 1
SECONDS_OF_DEMO ?= 4
SOURCE ?= simulate:handheld
FUZZ_SECONDS ?= 60
sources = $(wildcard Sources Tests Examples AddOns Tools Benchmarks Bindings Scripts)

.PHONY: help demo view test format lint embedded examples conformance docs docs-commands client sdk library release reproducible test-package lint-packaging python test-spark bits coverage tsan test-kernel arm64 validate bench stress fuzz attack test-browser dependencies

help: ## Lists the commands.
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

dependencies:
	@Scripts/install-dependencies.sh

demo: dependencies ## The main job on the built-in simulated device (needs no hardware); ends with a picture.
	@SECONDS_OF_DEMO=$(SECONDS_OF_DEMO) Scripts/demo.sh

test: dependencies ## All tests.
	Scripts/test.sh

fuzz: dependencies ## The parsers on any bytes, FUZZ_SECONDS (60) each, in release, with libFuzzer and with tests.
	FUZZ_SECONDS=$(FUZZ_SECONDS) Scripts/fuzz.sh
	OPENCOREMOTION_FUZZ_SECONDS=$(FUZZ_SECONDS) swift test -c release --filter '[Ff]uzz'

attack: dependencies ## Damaged recordings of every format, read by motionctl within limits, and losses that it has to say (ATTACK_CASES=4000, ATTACK_SEED=1, LOSS_CASES=400, LOSS_SEED=1, MOTIONCTL=).
	@program="$(MOTIONCTL)"; \
	if [ -z "$$program" ]; then swift build -c release --product motionctl >&2 && program=$$(swift build -c release --show-bin-path)/motionctl || exit; fi; \
	Scripts/Attack/budget.py "$$program" && Scripts/Attack/attack.py "$$program" && Scripts/Attack/losses.py "$$program"

format: ## Formats every Swift file in place.
	swift format --configuration Scripts/swift-format.json --in-place --recursive $(sources) Package.swift

lint: ## Formatting, licence headers, file lengths, figures not yet measured, references, one version.
	swift format lint --configuration Scripts/swift-format.json --strict --recursive $(sources) Package.swift
	Scripts/check-sources.sh
	Scripts/check-numbers.py
	Scripts/check-references.sh
	Scripts/Packaging/project.py

embedded: ## The filter for devices: its size and state on armv7em, and its example on a Cortex-M4; the filter's tests in single precision.
	Scripts/build-device.sh --test
	Scripts/test-single-precision.sh

examples: ## Builds every example and runs it on the simulator and, if present, on a recording.
	Examples/run-all.sh

conformance: ## The statements of Behaviour.md that also an iPhone can be asked, asked of our module on simulated devices.
	Examples/Conformance/run.sh

docs-commands: dependencies ## Runs the command lines and compiles the snippets of README and the documentation.
	swift build -c release --product motionctl
	swift build --target MotionTesting
	swift build --product MotionPrinter
	Scripts/Documentation/check-commands.py

docs: dependencies ## The documentation of all public modules as a static site; warnings are errors.
	Scripts/build-documentation.sh

client: ## README's program as it stands, in a package beside a clone of another name; how many lines of ours a client compiles.
	Scripts/check-client.sh

sdk: dependencies ## Core Motion and the kit for swiftc without a build: Debian package and tarball, with coremotion-check.
	Scripts/Packaging/sdk.sh

library: dependencies ## The filter for C, on a computer and on a microcontroller: libopencoremotion-dev, Debian package and tarball.
	Scripts/Packaging/library.sh

release: dependencies ## Debian packages, tarballs, documentation, bill of materials and checksums, from a commit.
	Scripts/Packaging/release.sh

reproducible: dependencies ## Two releases of this commit in two folders have the same bytes (PROGRAM_ONLY=1: without wheels and documentation).
	Scripts/Packaging/check-reproducible.sh $(if $(PROGRAM_ONLY),--program-only)

test-package: dependencies ## The Debian packages in a fresh Debian 12: motionctl without Swift, the SDK with it (root, debootstrap).
	Scripts/Packaging/test-package.sh

lint-packaging: ## Containerfile, workflows, templates (needs PyPI); builds the image where an engine runs.
	Scripts/Packaging/lint.sh

coverage: ## Which declarations of Core Motion are here, and which statements the tests hold.
	Scripts/extract-symbol-graph.sh .build-documentation/coverage
	swiftc -swift-version 6 -o .build-documentation/coverage/coverage Scripts/Coverage/*.swift
	.build-documentation/coverage/coverage .build-documentation/coverage

tsan: ## The stress tests under the thread sanitizer.
	@# Their targets alone. Without a single test it fails: a filter that matches nothing would pass for ever.
	OPENCOREMOTION_DEVELOP=CoreMotionTests,LiveOutputTests TSAN_OPTIONS="halt_on_error=1 $$TSAN_OPTIONS" bash -o pipefail -c \
	  "swift test --sanitize=thread --scratch-path .build-tsan --filter 'CoreMotionTests.*Stress|LiveOutputTests' 2>&1 | tee /dev/stderr | grep -E '(run with|Executed) [1-9][0-9]* tests?' >/dev/null"

test-kernel: ## The kernel's own drivers over virtual sensors, in qemu (installs what it needs).
	Scripts/Guest/test.sh

view: dependencies ## The viewer in your browser: SOURCE= a source or a recording (simulate:handheld).
	Scripts/viewer-assets.sh
	swift run motionctl view $(SOURCE)

python: ## The C interface and the Python wheels into .build-python/dist, tested in fresh environments (PYTHONS=python3; needs PyPI).
	Scripts/build-wheel.sh --test

test-spark: ## The Python package in PyArrow and Spark: the same bits (needs PyPI and Java 17).
	Scripts/test-engines.sh

bits: ## One hash of all that the filter gives on x86-64 and ARM64 (TRIALS=, BROAD files).
	Scripts/check-bits.sh $(TRIALS)

test-browser: dependencies ## The pages in headless Chromium and Firefox (installs what it needs; playwright from PyPI).
	Tests/Browser/run.sh

arm64: ## The kernel's layouts that the drivers rely on, for 64-bit ARM: the static assertions of the C shims (libc6-dev-arm64-cross).
	$$(dirname "$$(readlink -f "$$(command -v swift)")")/clang --target=aarch64-linux-gnu -nostdlibinc -isystem /usr/aarch64-linux-gnu/include \
	  -I Sources/CMotionSystem/include -I AddOns/CMotionTLS/include -Wall -Wextra -Werror -fsyntax-only Sources/CMotionSystem/*.c AddOns/CMotionTLS/*.c

validate: ## Recordings read and written by other people's software (needs PyPI).
	Scripts/Validate/validate.sh

bench: ## The figures that the README quotes (own package, release build).
	Scripts/run-benchmarks.sh

stress: dependencies ## The judge of the filter: hard cases, recordings, time, beside VQF, in one table; fails where a limit is passed (SEEDS="1 2 3").
	Scripts/run-stress-suite.sh
