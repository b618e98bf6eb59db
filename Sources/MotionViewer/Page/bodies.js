// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What the device looks like, in its own axes: for a phone x to the right, y to the top, z out of the screen; for a head x to the
// right, y to the front, z to the crown.

import {THREE} from './three.js';

/** A body of a kind; grey while there are no data, an outline where `ghost` is a colour. */
export function bodies(kind, isNeutral, ghost) {
  const group = new THREE.Group();
  const part = (geometry, color, [x, y, z] = [0, 0, 0]) => {
    const mesh = ghost
      ? new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 25), new THREE.LineBasicMaterial({color: ghost}))
      : new THREE.Mesh(geometry, new THREE.MeshStandardMaterial(
        {color: isNeutral ? 0x8d9196 : color, roughness: 0.55, metalness: 0.05}));
    mesh.position.set(x, y, z);
    group.add(mesh);
    return mesh;
  };
  (shapes[kind] ?? shapes.box)(part);
  return group;
}

/** A plate with round corners in the xy plane, centred. */
function plate(width, height, depth, radius) {
  const shape = new THREE.Shape();
  const [a, b] = [width / 2, height / 2];
  shape.moveTo(-a + radius, -b);
  shape.lineTo(a - radius, -b);
  shape.absarc(a - radius, -b + radius, radius, -Math.PI / 2, 0);
  shape.lineTo(a, b - radius);
  shape.absarc(a - radius, b - radius, radius, 0, Math.PI / 2);
  shape.lineTo(-a + radius, b);
  shape.absarc(-a + radius, b - radius, radius, Math.PI / 2, Math.PI);
  shape.lineTo(-a, -b + radius);
  shape.absarc(-a + radius, -b + radius, radius, Math.PI, Math.PI * 1.5);
  const geometry = new THREE.ExtrudeGeometry(shape, {depth, bevelEnabled: false, curveSegments: 8});
  geometry.translate(0, 0, -depth / 2);
  return geometry;
}

const shapes = {
  phone(part) {
    part(plate(0.78, 1.58, 0.1, 0.12), 0x3d4249);
    part(plate(0.7, 1.48, 0.012, 0.08), 0x9cc4e8, [0, 0, 0.052]);
    // The camera at the top of the screen tells which edge is up.
    part(plate(0.2, 0.05, 0.012, 0.024), 0x14171a, [0, 0.66, 0.058]);
    part(new THREE.BoxGeometry(0.22, 0.22, 0.04), 0x22262b, [-0.22, 0.6, -0.06]);
  },
  watch(part) {
    part(plate(0.8, 0.96, 0.24, 0.2), 0x3d4249);
    part(plate(0.68, 0.84, 0.014, 0.16), 0x9cc4e8, [0, 0, 0.125]);
    part(new THREE.BoxGeometry(0.6, 0.5, 0.07), 0x6b5b4b, [0, 0.7, -0.05]);
    part(new THREE.BoxGeometry(0.6, 0.5, 0.07), 0x6b5b4b, [0, -0.7, -0.05]);
    const crown = part(new THREE.CylinderGeometry(0.09, 0.09, 0.09, 20), 0xb9bec4, [0.43, 0.2, 0]);
    crown.rotation.z = Math.PI / 2;
  },
  headphones(part) {
    const skull = part(new THREE.SphereGeometry(0.62, 32, 24), 0xd9b99b);
    skull.scale.set(0.88, 1, 1.15);
    const nose = part(new THREE.ConeGeometry(0.12, 0.26, 16), 0xd0a988, [0, 0.68, -0.06]);
    nose.rotation.x = 0;
    part(new THREE.SphereGeometry(0.07, 12, 12), 0x22262b, [-0.2, 0.53, 0.12]);
    part(new THREE.SphereGeometry(0.07, 12, 12), 0x22262b, [0.2, 0.53, 0.12]);
    for (const side of [-1, 1]) part(new THREE.SphereGeometry(0.14, 16, 12), 0xf2f2f2, [side * 0.56, 0, -0.02]);
  },
  module(part) {
    part(new THREE.BoxGeometry(1.1, 1.3, 0.07), 0x1f6b45);
    part(new THREE.BoxGeometry(0.34, 0.34, 0.08), 0x22262b, [0, 0.1, 0.07]);
    for (let index = 0; index < 6; index++) {
      part(new THREE.BoxGeometry(0.06, 0.06, 0.2), 0xd4af37, [-0.4 + index * 0.16, -0.56, 0.05]);
    }
    // A mark at the first corner, as on a chip.
    part(new THREE.CylinderGeometry(0.03, 0.03, 0.01, 12), 0xf2f2f2, [-0.12, 0.2, 0.115]).rotation.x = Math.PI / 2;
  },
  controller(part) {
    part(plate(1.5, 0.7, 0.22, 0.3), 0x3d4249);
    for (const side of [-1, 1]) {
      part(new THREE.CapsuleGeometry(0.2, 0.34, 6, 12), 0x33383e, [side * 0.58, -0.36, -0.02]);
      const stick = part(new THREE.CylinderGeometry(0.13, 0.13, 0.14, 20), 0x14171a, [side * 0.3, -0.12, 0.15]);
      stick.rotation.x = Math.PI / 2;
    }
    part(new THREE.BoxGeometry(0.34, 0.08, 0.05), 0x9cc4e8, [0, 0.22, 0.12]);
  },
  box(part) {
    part(new THREE.BoxGeometry(0.9, 1.3, 0.3), 0x7c8894);
    part(new THREE.BoxGeometry(0.8, 0.06, 0.02), 0x9cc4e8, [0, 0.55, 0.16]);
  },
};
