// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The state that the address of the page holds, so that a link opens what was seen.

const link = new URLSearchParams(location.hash.slice(1));

function number(name, fallback) {
  const value = parseFloat(link.get(name));
  return Number.isFinite(value) ? value : fallback;
}

/** Dark or light, as the address or else the system says. */
export const isDark = link.has('theme') ? link.get('theme') === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;

/** What the address asks for; without it the usual. */
export function fromAddress(isLive, reducedMotion, viewCount) {
  const span = link.get('span')?.split(',').map(Number);
  return {
    moment: Math.max(0, number('t', 0)), isPlaying: !link.has('t') && (isLive || !reducedMotion),
    speed: Math.min(10, Math.max(0.1, number('speed', 1))), window: Math.max(0, number('window', 10)),
    span: !isLive && span?.length === 2 && span[1] > span[0] ? span : null,
    view: Math.min(viewCount - 1, Math.max(0, Math.trunc(number('view', 0)))),
    dark: isDark, usesDegrees: link.get('units') !== 'rad',
    turns: (link.get('turns') ?? '').split(',').map((turn) => parseFloat(turn) || 0),
    frames: (link.get('frames') ?? '').split(','),
  };
}

/** What is kept in the address of this state. */
export function toAddress({playback, view, usesDegrees, dark, hasTheme}, views) {
  const parts = new URLSearchParams();
  if (!playback.isLive && !playback.isPlaying) parts.set('t', playback.moment.toFixed(4));
  if (playback.speed !== 1) parts.set('speed', playback.speed);
  if (playback.window !== 10) parts.set('window', playback.window);
  if (!playback.isLive && playback.span) parts.set('span', playback.span.map((time) => time.toFixed(3)).join());
  if (view !== 0) parts.set('view', view);
  if (!usesDegrees) parts.set('units', 'rad');
  if (hasTheme || link.has('theme')) parts.set('theme', dark ? 'dark' : 'light');
  if (views.some(({turn}) => turn !== 0)) parts.set('turns', views.map(({turn}) => turn.toFixed(4)).join());
  if (views.some(({asked, startFrame}) => asked !== startFrame)) parts.set('frames', views.map(({asked}) => asked).join());
  return parts.toString();
}
