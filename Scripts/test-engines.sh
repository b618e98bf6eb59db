#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Tests the Python package in PyArrow and Spark, in an environment of its own (.build-engines; PyPI). Spark needs Java 17: apt-get
# install openjdk-17-jre-headless. Takes the library of .build-python, and builds it if there is none. Arguments are pytest's.
set -euo pipefail
cd "$(dirname "$0")/.."

java -version 2>&1 | grep -qE '"(17|21)' || { echo "Spark needs Java 17: apt-get install openjdk-17-jre-headless" >&2 && exit 1; }
# The library as it was built, the Python files as they are now.
[ -f ".build-python/$(uname -m)/libocm.so" ] || Scripts/build-library.sh "$(uname -m)"
python3 Scripts/pack-wheel.py "$(uname -m)"
[ -x .build-engines/bin/python ] || python3 -m venv .build-engines
install=(.build-engines/bin/pip install --quiet --disable-pip-version-check)
"${install[@]}" 'pyspark>=4,<5' pyarrow pytest
"${install[@]}" --force-reinstall --no-deps .build-python/dist/*_"$(uname -m)".whl
# The wheel, not the source folder.
cd Bindings/Python/tests
SPARK_LOCAL_IP=127.0.0.1 ../../../.build-engines/bin/python -m pytest -q -p no:cacheprovider -rs \
  test_arrow.py test_engines.py test_spark.py "$@"
