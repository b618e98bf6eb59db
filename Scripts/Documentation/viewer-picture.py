# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Makes Documentation/Images/viewer.webp: five seconds of `motionctl view simulate:handheld`, as README shows them.

Run it with a Python that has playwright and Pillow, from the repository, after `swift build --product motionctl` and
`Scripts/viewer-assets.sh`. The page is paused and moved on frame by frame, so a slow computer makes the same picture.
"""

import io, pathlib, sys

from PIL import Image

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "Tests/Browser"))
from browsers import address_of, chromium, motionctl, wait_for  # noqa: E402

BEGIN, SECONDS, RATE = 14, 5, 10
GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")

frames = []
with motionctl("view", "simulate:handheld", "--frame", "magnetic", "--no-open", "--port", "0") as process:
    with chromium(*GL, viewport={"width": 1180, "height": 720}, color_scheme="light") as page:
        page.goto(address_of(process))
        wait_for(lambda: page.evaluate(f"window.motionView?.playback.moment > {BEGIN + SECONDS + 0.5}"), "the simulation has moved", 60)
        page.keyboard.press(" ")
        for index in range(SECONDS * RATE):
            page.evaluate(f"motionView.seek({BEGIN + index / RATE})")
            page.wait_for_timeout(260)
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            frames.append(picture.resize((900, 549), Image.LANCZOS))
output = root / "Documentation/Images/viewer.webp"
output.parent.mkdir(exist_ok=True)
frames[0].save(
    output, save_all=True, append_images=frames[1:], duration=round(1000 / RATE), loop=0, quality=50, method=6)
print(f"{output.relative_to(root)}: {len(frames)} frames, {output.stat().st_size} bytes")
