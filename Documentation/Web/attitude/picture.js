// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// A phone as it is turned, seen from the south and a little above, on a plain canvas; and the angles of an attitude.

/** Half sizes of the box: the device's x to the right, y to the top, z out of the screen. */
const size = [0.36, 0.75, 0.05];
const faces = [
  { axis: 2, sign: 1, colour: "#3b4252" }, { axis: 2, sign: -1, colour: "#55585f" }, { axis: 0, sign: 1, colour: "#8a8d94" },
  { axis: 0, sign: -1, colour: "#8a8d94" }, { axis: 1, sign: 1, colour: "#a6a9b0" }, { axis: 1, sign: -1, colour: "#75787f" },
];
const axes = [{ name: "x", colour: "#d70015" }, { name: "y", colour: "#248a3d" }, { name: "z", colour: "#0071e3" }];

/** The quaternion's rotation applied to [x, y, z]. */
export function rotate({ w, x, y, z }, [a, b, c]) {
  const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u];
}

/** The attitude after a further turn about the vertical, rad. */
export function turnedAboutVertical({ w, x, y, z }, angle) {
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  return { w: c * w - s * z, x: c * x - s * y, y: c * y + s * x, z: c * z + s * w };
}

/** Roll, pitch and yaw by Core Motion's convention, rad: R = Rz(yaw) · Rx(pitch) · Ry(roll). */
export function anglesOf({ w, x, y, z }) {
  return {
    roll: Math.atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)),
    pitch: Math.asin(Math.max(-1, Math.min(1, 2 * (y * z + w * x)))),
    yaw: Math.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)),
  };
}

/** Draws the phone; a grey outline without an attitude. */
export function draw(canvas, attitude) {
  const context = canvas.getContext("2d");
  const { width, height } = canvas;
  const ink = getComputedStyle(document.body).color;
  context.clearRect(0, 0, width, height);
  const lift = 0.35, scale = height * 0.4;
  // East to the right, up to the top, north away from the eye.
  const project = ([east, north, up]) => {
    const depth = north * Math.cos(lift) - up * Math.sin(lift);
    const k = scale * 4 / (4 + depth);
    return [width / 2 + east * k, height / 2 - (up * Math.cos(lift) + north * Math.sin(lift)) * k, depth];
  };
  const turn = (point) => project(rotate(attitude ?? { w: 1, x: 0, y: 0, z: 0 }, point));
  const corner = (face, i, j) => {
    const point = [0, 0, 0];
    point[face.axis] = face.sign * size[face.axis];
    point[(face.axis + 1) % 3] = i * size[(face.axis + 1) % 3];
    point[(face.axis + 2) % 3] = j * size[(face.axis + 2) % 3];
    return turn(point);
  };
  const drawn = faces.map((face) => {
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => corner(face, i, j));
    return { face, corners, depth: corners.reduce((sum, p) => sum + p[2], 0) };
  }).sort((a, b) => b.depth - a.depth);
  context.lineWidth = 2;
  context.strokeStyle = ink;
  for (const { face, corners } of drawn) {
    context.beginPath();
    corners.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.closePath();
    context.fillStyle = attitude ? face.colour : "#8a8d9440";
    context.fill();
    context.stroke();
  }
  if (!attitude) return;
  context.font = "bold 20px system-ui, sans-serif";
  axes.forEach(({ name, colour }, index) => {
    const tip = [0, 0, 0];
    tip[index] = size[index] + 0.3;
    const base = [0, 0, 0];
    base[index] = size[index];
    const [x, y] = turn(tip), [x0, y0] = turn(base);
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = 4;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x, y);
    context.stroke();
    context.fillText(name, x + 6, y - 6);
  });
}
