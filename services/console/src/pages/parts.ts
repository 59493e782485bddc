import { h, type ComponentChildren } from 'preact';
import type { Words } from '../words/link-errors.ts';

/** What went wrong; takes the focus, so that it is read first. */
export function alertBox({ title, text }: Words) {
  return h(
    'div',
    { class: 'alert', role: 'alert', tabIndex: -1, autofocus: true, 'data-focus': '' },
    h('p', { class: 'alert-title' }, title),
    h('p', null, text),
  );
}

export function heading(text: string) {
  return h('h1', null, text);
}

/** Filled by the script while something is under way; empty without it. */
export function statusLine() {
  return h('p', { class: 'status', role: 'status', 'data-status': '' });
}

/** The head of a step of one provider. */
export function providerHead(logo: string, title: ComponentChildren, about: ComponentChildren) {
  return h(
    'header',
    { class: 'provider-head' },
    h('img', { src: logo, alt: '', width: 48, height: 48 }),
    h('div', null, h('h1', null, title), h('p', { class: 'soft' }, about)),
  );
}

export function hidden(name: string, value: string) {
  return h('input', { type: 'hidden', name, value });
}

/** The way back to the list; null where there is nothing to choose. */
export function backLink(href: string | null) {
  return href === null ? null : h('p', { class: 'back' }, h('a', { href }, 'Choose another one'));
}
