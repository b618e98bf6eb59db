// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Buttons, lists and keys. Each action has both.

export const element = (id) => document.getElementById(id);
export const write = (id, text) => { if (element(id).textContent !== text) element(id).textContent = text; };
export const setPressed = (id, isPressed) => element(id).setAttribute('aria-pressed', String(isPressed));

const buttons = ['zero', 'level', 'frame', 'record', 'picture', 'drawing', 'copy', 'units', 'theme', 'help', 'play', 'back', 'forward'];
const keys = {'0': 'zero', 'l': 'level', 'f': 'frame', 'r': 'record', 'c': 'copy', 'u': 'units', 'd': 'theme', '?': 'help', 'escape': 'reset'};

export function bindControls(actions) {
  const more = element('more');
  for (const id of buttons) element(id).addEventListener('click', (event) => actions[id](event));
  for (const id of ['window', 'speed', 'view']) element(id).addEventListener('change', (event) => actions[id](event.target.value));
  element('strips').addEventListener('wheel', (event) => {
    // Where the strips are longer than their place, the wheel moves them.
    if (event.currentTarget.scrollHeight > event.currentTarget.clientHeight + 1) return;
    event.preventDefault();
    actions.zoom(event.deltaY > 0 ? 1 : -1);
  }, {passive: false});
  document.addEventListener('click', (event) => { if (!more.contains(event.target) || event.target.closest('#more button')) more.open = false; });
  document.addEventListener('keydown', (event) => {
    // In a list or a dialog keys have their own meaning; with Control they belong to the browser.
    if (event.ctrlKey || event.metaKey || element('helpDialog').open || event.target.tagName === 'SELECT') return;
    const key = (event.key ?? '').toLowerCase();
    if (key === ' ' && event.target.closest?.('button, summary, a')) return;
    if (key === 'escape') more.open = false;
    const action = key === ' ' ? actions.play
      : key === 'arrowleft' ? actions.back : key === 'arrowright' ? actions.forward
      : key === 's' ? (event.shiftKey ? actions.drawing : actions.picture)
      : key === '+' || key === '=' ? () => actions.zoom(-1) : key === '-' ? () => actions.zoom(1)
      : Object.hasOwn(keys, key) ? actions[keys[key]] : null;
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
