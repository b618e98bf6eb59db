// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The three-dimensional picture. Its coordinates are those of Core Motion's reference frame: z up, and in the north frames x north
// and y west. A view is drawn from the south, or from where the device lies before you while there is no north.

import {THREE, OrbitControls} from './three.js';
import {aboutZ, multiply, rotated} from './angles.js';
import {css} from './controls.js';

const palettes = {
  light: {ground: 0xffffff, grid: 0xd5d5d0, gravity: 0x202020, user: 0xd97706, ghost: 0x7c3aed},
  dark: {ground: 0x1d2024, grid: 0x3b4149, gravity: 0xf2f2f2, user: 0xffb454, ghost: 0xc4a5ff},
};
const axes = () => ['--x', '--y', '--z'].map(css);
const floor = -1.05;

/** A letter that always faces the viewer. */
function letter(text, color) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d');
  context.font = 'bold 52px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = color;
  context.fillText(text, 32, 34);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({map, depthTest: false}));
  sprite.scale.setScalar(0.22);
  sprite.renderOrder = 2;
  return sprite;
}

/** An arrow of any length from the origin, thick enough to be seen. */
class Arrow {
  constructor(color, thickness = 0.022) {
    // Its own colour from every side, with a little shade.
    const material = new THREE.MeshStandardMaterial({color, roughness: 1, emissive: color, emissiveIntensity: 0.55});
    this.group = new THREE.Group();
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(thickness, thickness, 1, 16), material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(thickness * 2.8, thickness * 7, 20), material);
    this.group.add(this.shaft, this.head);
    this.headLength = thickness * 7;
  }

  point([x, y, z]) {
    const length = Math.hypot(x, y, z);
    this.group.visible = length > 0.02;
    if (!this.group.visible) return;
    const shaft = Math.max(0.001, length - this.headLength);
    this.shaft.scale.y = shaft;
    this.shaft.position.y = shaft / 2;
    this.head.position.y = shaft + this.headLength / 2;
    this.group.quaternion.setFromUnitVectors(
      new THREE.Vector3(0, 1, 0), new THREE.Vector3(x / length, y / length, z / length));
  }
}

/** One device with its arrows. */
class View {
  constructor(kind, palette) {
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(palette.ground);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8a8a, 1.8));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(-2, -3, 5);
    this.scene.add(sun);
    const grid = new THREE.GridHelper(4, 8, palette.grid, palette.grid);
    grid.rotation.x = Math.PI / 2;
    grid.position.z = floor;
    this.scene.add(grid);
    this.all = new THREE.Group();
    this.scene.add(this.all);
    this.body = bodies(kind, false);
    this.neutral = bodies(kind, true);
    this.device = new THREE.Group();
    this.device.add(this.body, this.neutral);
    axes().forEach((color, index) => {
      const tip = [0, 0, 0];
      tip[index] = 1.12;
      const arrow = new Arrow(color, 0.016);
      arrow.point(tip);
      const name = letter('xyz'[index], color);
      tip[index] = 1.26;
      name.position.set(...tip);
      this.device.add(arrow.group, name);
    });
    this.ghost = bodies(kind, false, palette.ghost);
    this.gravity = new Arrow(palette.gravity);
    this.user = new Arrow(palette.user);
    this.all.add(this.device, this.ghost, this.gravity.group, this.user.group);
    this.addCone(palette);
    this.addNorth(palette);
    this.show(null);
  }

  /** The 95 % cone of the vertical, about the arrow of gravity. */
  addCone(palette) {
    this.cone = new THREE.Mesh(
      new THREE.ConeGeometry(1, 1, 48, 1, true),
      new THREE.MeshBasicMaterial({color: palette.gravity, transparent: true, opacity: 0.16, side: THREE.DoubleSide, depthWrite: false}));
    this.all.add(this.cone);
  }

  addNorth(palette) {
    const [color] = axes();
    this.north = new THREE.Group();
    this.north.position.z = floor;
    const ring = new THREE.Mesh(
      new THREE.RingGeometry(1.5, 1.53, 96),
      new THREE.MeshBasicMaterial({color: palette.grid, side: THREE.DoubleSide}));
    this.needle = new Arrow(color, 0.02);
    this.needle.point([1.5, 0, 0]);
    const name = letter('N', color);
    name.position.set(1.7, 0, 0.05);
    this.sectorMaterial = new THREE.MeshBasicMaterial({color, transparent: true, opacity: 0.3, side: THREE.DoubleSide});
    this.sector = new THREE.Mesh(new THREE.BufferGeometry(), this.sectorMaterial);
    this.north.add(ring, this.needle.group, name, this.sector);
    this.all.add(this.north);
  }

  /** `state`: null while there are no data, else the attitude and what belongs to it. */
  show(state) {
    const hasPose = state !== null;
    this.body.visible = hasPose;
    this.neutral.visible = !hasPose;
    this.ghost.visible = Boolean(state?.ghost);
    this.cone.visible = this.north.visible = false;
    if (!hasPose) {
      this.all.quaternion.identity();
      this.device.quaternion.identity();
      this.gravity.point([0, 0, 0]);
      this.user.point([0, 0, 0]);
      return;
    }
    const turn = aboutZ(state.turn);
    set(this.all.quaternion, turn);
    const q = state.mount ? multiply(state.attitude, state.mount) : state.attitude;
    set(this.device.quaternion, q);
    if (state.ghost) set(this.ghost.quaternion, state.mount ? multiply(state.ghost, state.mount) : state.ghost);
    this.gravity.point(rotated(state.attitude, state.gravity));
    this.user.point(rotated(state.attitude, state.user));
    this.showCone(rotated(state.attitude, state.gravity), state.inclinationDeviation);
    if (state.isNorth) this.showNorth(state.headingDeviation);
  }

  /** 95 % of the angles of two axes are within 1.73 deviations. */
  showCone([x, y, z], deviation) {
    if (!(deviation > 0)) return;
    const half = Math.min(80, 1.73 * deviation) * Math.PI / 180;
    const length = 1.0;
    const radius = Math.max(0.004, length * Math.tan(half));
    this.cone.visible = true;
    this.cone.scale.set(radius, length, radius);
    // The tip of the geometry is at +½ on its y axis: at the device.
    const down = new THREE.Vector3(x, y, z).normalize();
    this.cone.quaternion.setFromUnitVectors(new THREE.Vector3(0, -1, 0), down);
    this.cone.position.copy(down).multiplyScalar(length / 2);
  }

  /** 95 % of the headings are within 1.96 deviations. */
  showNorth(deviation) {
    this.north.visible = true;
    const half = Number.isFinite(deviation) ? Math.min(Math.PI, 1.96 * deviation * Math.PI / 180) : Math.PI;
    if (Math.abs(half - (this.half ?? -1)) < 0.002) return;
    this.half = half;
    this.sector.geometry.dispose();
    this.sector.geometry = new THREE.RingGeometry(0.2, 1.5, 48, 1, -half, 2 * half);
  }
}

const set = (quaternion, [w, x, y, z]) => quaternion.set(x, y, z, w);

/** The canvas with one device or two beside each other. */
export class Stage {
  /** Throws where the browser has no WebGL. */
  constructor(canvas, kinds, {isDark, reducedMotion}) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
    this.renderer.setScissorTest(true);
    this.camera = new THREE.PerspectiveCamera(33, 1, 0.1, 50);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enablePan = false;
    this.controls.enableDamping = !reducedMotion;
    this.controls.minDistance = 2;
    this.controls.maxDistance = 15;
    this.views = kinds.map((kind) => new View(kind, isDark ? palettes.dark : palettes.light));
    this.look(false);
    canvas.addEventListener('dblclick', () => this.look(this.looksNorth));
  }

  /** From the south-west to the north, which the device then does not hide, or along the y axis where there is no north. */
  look(north) {
    this.looksNorth = north;
    if (north) this.camera.position.set(-3.9, -2.2, 2.2); else this.camera.position.set(1.1, -4.3, 2.15);
    this.controls.target.set(0, 0, -0.12);
    this.controls.update();
  }

  render(states) {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const {clientWidth: width, clientHeight: height} = this.canvas;
    if (width === 0 || height === 0) return;
    if (this.size !== `${width} ${height} ${ratio}`) {
      this.size = `${width} ${height} ${ratio}`;
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    }
    this.controls.update();
    const share = width / this.views.length;
    this.camera.aspect = share / height;
    // Of a narrow view as much is seen across as of a square one.
    this.camera.fov = this.camera.aspect >= 1 ? 33 : 2 * Math.atan(Math.tan(33 * Math.PI / 360) / this.camera.aspect) * 180 / Math.PI;
    this.camera.updateProjectionMatrix();
    this.views.forEach((view, index) => {
      view.show(states[index] ?? null);
      this.renderer.setViewport(index * share, 0, share, height);
      this.renderer.setScissor(index * share, 0, share, height);
      this.renderer.render(view.scene, this.camera);
    });
  }
}

/**
 * What a kind of device looks like, in its own axes: for a phone x to the right, y to the top, z out of the screen; for a head x to the
 * right, y to the front, z to the crown. It is grey while there are no data, an outline where `ghost` is a colour.
 */
function bodies(kind, isNeutral, ghost) {
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
