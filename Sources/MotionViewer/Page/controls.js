// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Buttons and keys. Each action has both.

export const element = (id) => document.getElementById(id);

export function setPressed(id, isPressed) { element(id).setAttribute('aria-pressed', String(isPressed)); }

const keys = {'0': 'zero', 'l': 'level', 'f': 'frame', 'r': 'record', 'c': 'copy', 'u': 'units', 'd': 'theme', '?': 'help'};

export function bindControls(actions) {
  for (const id of ['zero', 'level', 'frame', 'record', 'picture', 'drawing', 'copy', 'units', 'theme', 'help', 'play', 'back', 'forward']) {
    element(id).addEventListener('click', (event) => actions[id](event));
  }
  for (const id of ['window', 'speed', 'view']) {
    element(id).addEventListener('change', (event) => actions[id](event.target.value));
  }
  element('strips').addEventListener('wheel', (event) => {
    event.preventDefault();
    actions.zoom(event.deltaY > 0 ? 1 : -1);
  }, {passive: false});
  document.addEventListener('keydown', (event) => {
    // In a list or a dialog keys have their own meaning; with Control they belong to the browser.
    if (event.ctrlKey || event.metaKey || element('helpDialog').open || event.target.tagName === 'SELECT') return;
    const key = event.key.toLowerCase();
    const isButton = event.target.tagName === 'BUTTON';
    if (key === ' ' && isButton) return;
    const action = key === ' ' ? actions.play
      : key === 'arrowleft' ? actions.back : key === 'arrowright' ? actions.forward
      : key === 's' ? (event.shiftKey ? actions.drawing : actions.picture)
      : key === '+' || key === '=' ? () => actions.zoom(-1) : key === '-' ? () => actions.zoom(1)
      : actions[keys[key]];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
