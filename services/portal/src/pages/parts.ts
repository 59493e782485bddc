import { h, type Attributes, type ComponentChildren } from 'preact';

const minuteMs = 60_000;
const units: readonly (readonly [number, string])[] = [
  [1440 * minuteMs, 'd'],
  [60 * minuteMs, 'h'],
  [minuteMs, 'min'],
];
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** `3 h ago`, `in 5 min`. */
export function distance(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  const unit = units.find(([size]) => Math.abs(ms) >= size);
  if (!unit) return 'now';
  const text = `${Math.floor(Math.abs(ms) / unit[0])} ${unit[1]}`;
  return ms > 0 ? `${text} ago` : `in ${text}`;
}

/** An instant of the API; a dash for none. */
export function time(text: string | null | undefined, now: Date) {
  if (!text) return h('span', { class: 'soft' }, '–');
  const at = new Date(text);
  // What has no time, such as a profile, is stored at the beginning of time.
  if (at.getTime() === 0) return h('span', { class: 'soft' }, 'no time');
  return h('time', { datetime: text, title: `${dates.format(at)} UTC` }, distance(at, now));
}

/** An instant in full, in UTC. */
export function fullTime(text: string | null | undefined) {
  return text ? h('time', { datetime: text }, `${dates.format(new Date(text))} UTC`) : h('span', { class: 'soft' }, '–');
}

export const number = (value: number) => value.toLocaleString('en-GB');

/** good: works. warn: waits, or was decided by somebody. bad: somebody must act. none: there is nothing. */
export type Tone = 'good' | 'warn' | 'bad' | 'none';

/** A state as a word with a shape, so that colour is not needed to tell it. */
export function state(tone: Tone, text: string) {
  return h('span', { class: `state ${tone}` }, text);
}

const statusTones: Readonly<Record<string, Tone>> = {
  connected: 'good',
  succeeded: 'good',
  success: 'good',
  done: 'good',
  error: 'bad',
  failed: 'bad',
  failure: 'bad',
  given_up: 'bad',
  paused: 'warn',
  waiting: 'warn',
  in_progress: 'warn',
  scheduled: 'warn',
  retrying: 'warn',
  superseded: 'none',
};

export function statusOf(status: string) {
  return state(statusTones[status] ?? 'none', status.replaceAll('_', ' '));
}

/** A table that scrolls by itself where it is too wide; the region can be reached with the keyboard. */
export function table(label: string, heads: readonly ComponentChildren[], rows: readonly (readonly ComponentChildren[])[]) {
  return h(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': label, tabIndex: 0 },
    h(
      'table',
      null,
      h('thead', null, h('tr', null, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', null, ...rows.map((row) => h('tr', null, ...row.map((cell) => h('td', null, cell))))),
    ),
  );
}

export function section(title: string, ...children: ComponentChildren[]) {
  return h('section', null, h('h2', null, title), ...children);
}

/** A list of names and values. */
export function facts(rows: readonly (readonly [string, ComponentChildren])[]) {
  return h('dl', { class: 'facts' }, ...rows.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))));
}

/** What an empty list says: never a blank page. */
export function empty(text: string, ...more: ComponentChildren[]) {
  return h('div', { class: 'empty' }, h('p', null, text), ...more);
}

export function notice(tone: Tone, title: string, text: ComponentChildren) {
  return h(
    'div',
    { class: `notice ${tone}`, role: tone === 'bad' ? 'alert' : undefined },
    h('p', { class: 'notice-title' }, title),
    h('p', null, text),
  );
}

/** A command to copy; the script adds a button. */
export function command(text: string) {
  return h('pre', { class: 'command', 'data-copy': '', tabIndex: 0 }, h('code', null, text));
}

/** The request behind a page, folded. */
export function asCurl(apiUrl: string, urls: readonly string[]) {
  const lines = urls.map((url) => `curl -s -H "x-service-api-key: $API_KEY" "${apiUrl}${url}"`);
  return h('details', { class: 'curl' }, h('summary', null, 'Copy as curl'), command(lines.join('\n')));
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

export function choose(name: string, label: string, value: string, choices: readonly Choice[]) {
  const options = choices.map((one) => h('option', { value: one.value, selected: one.value === value }, one.text));
  return h('div', { class: 'field' }, h('label', { for: `f-${name}` }, label), h('select', { id: `f-${name}`, name }, ...options));
}

export function input(name: string, label: string, attributes: Attributes) {
  return h('div', { class: 'field' }, h('label', { for: `f-${name}` }, label), h('input', { id: `f-${name}`, name, ...attributes }));
}

/** The next page of a list; its address carries the filters. */
export function pager(href: string | null) {
  return href === null ? null : h('p', { class: 'pager' }, h('a', { class: 'button quiet', href }, 'Next page'));
}
