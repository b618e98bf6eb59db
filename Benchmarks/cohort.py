#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""What a cohort of wrists costs, and whether each of its weeks has the rows that it has alone.

    swift build -c release --product motionctl
    Benchmarks/cohort.py [--participants 1000] [--people 10] [--rate 100] [--days 7] [--shards 2] [--price 0.04]

Makes the weeks of some people (Scripts/make-wrist-week.py), gives them the names of all participants by hard links, and puts a
file that is cut off in its header in the place of one in a hundred. Then `motionctl day --manifest --shard` runs over all of
them, shard by shard. It prints processor time and bytes of a participant's week and the price of 100,000; it fails when a
participant's rows differ in a byte from those of the file alone, or when the damaged ones and only they are failures in the
summaries. `--price`: pounds for an hour of one core. Needs numpy.
"""

import argparse, csv, os, pathlib, resource, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOTIONCTL = os.environ.get("MOTIONCTL", str(ROOT / ".build/release/motionctl"))


def processor():
  usage = resource.getrusage(resource.RUSAGE_CHILDREN)
  return usage.ru_utime + usage.ru_stime


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  for name, kind, default in (
    ("participants", int, 1000), ("people", int, 10), ("rate", float, 100), ("days", int, 7), ("shards", int, 2), ("price", float, 0.04)
  ):  # fmt: skip
    parser.add_argument(f"--{name}", type=kind, default=default)
  options = parser.parse_args()
  with tempfile.TemporaryDirectory(prefix="cohort-") as folder:
    folder = pathlib.Path(folder)
    alone = {}
    for seed in range(options.people):
      week = folder / f"person{seed}.cwa"
      made = [sys.executable, ROOT / "Scripts/make-wrist-week.py", "--days", str(options.days), "--rate", str(options.rate)]
      subprocess.run([*made, "--seed", str(seed), week], check=True, stdout=subprocess.DEVNULL)
      rows = folder / f"person{seed}.csv"
      # Rows repeat the name of their file.
      subprocess.run([MOTIONCTL, "day", week, "-o", rows], check=True, capture_output=True)
      alone[seed] = rows.read_bytes().replace(week.name.encode(), b"NAME")
    damaged = {number for number in range(options.participants) if number % 100 == 99}
    for number in range(options.participants):
      path = folder / f"participant{number}.cwa"
      if number in damaged:
        path.write_bytes((folder / "person0.cwa").read_bytes()[:700])
      else:
        os.link(folder / f"person{number % options.people}.cwa", path)
    (folder / "list.txt").write_text("".join(f"participant{number}.cwa\n" for number in range(options.participants)))
    begin, used, largest = time.monotonic(), processor(), 0
    for shard in range(1, options.shards + 1):
      command = [MOTIONCTL, "day", "--manifest", folder / "list.txt", "--shard", f"{shard}/{options.shards}", "-o", folder / "days"]
      process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      _, status, usage = os.wait4(process.pid, 0)
      largest = max(largest, usage.ru_maxrss / 1024)
    used, wall = processor() - used, time.monotonic() - begin
    wrong, failures = 0, set()
    for shard in range(1, options.shards + 1):
      with open(folder / f"days/summary-{shard}-of-{options.shards}.csv", newline="") as file:
        failures |= {pathlib.Path(row["recording"]).stem for row in csv.DictReader(file) if row["state"] == "failed"}
    for number in range(options.participants):
      if number in damaged:
        continue
      rows = (folder / f"days/participant{number}.days.csv").read_bytes()
      wrong += rows.replace(f"participant{number}.cwa".encode(), b"NAME") != alone[number % options.people]
    weeks = options.participants - len(damaged)
    size = sum((folder / f"person{seed}.cwa").stat().st_size for seed in alone) / options.people
    rows_size = len(alone[0])
  seconds = used / weeks
  print(f"{options.participants} participants, {options.days} days at {options.rate:g} Hz, {len(damaged)} of them damaged, {options.shards} shards")
  print(f"  processor time   {seconds:.2f} s a participant ({used:.0f} s in all, {wall:.0f} s on {os.cpu_count()} cores)")
  print(f"  read, written    {size / 1e6:.1f} MB, {rows_size / 1e3:.1f} kB a participant")
  print(f"  largest memory   {largest:.0f} MB")
  print(f"  100,000          {seconds * 1e5 / 3600:.0f} core-hours, {seconds * 1e5 / 3600 * options.price:.2f} pounds at {options.price} an hour")
  print(f"  rows that differ from the file alone: {wrong}; failures: {len(failures)} of {len(damaged)} damaged")
  if wrong or failures != {f"participant{number}" for number in damaged}:
    sys.exit("Not as it should be.")


if __name__ == "__main__":
  main()
