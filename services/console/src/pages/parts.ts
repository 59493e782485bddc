import { h, type ComponentChildren } from 'preact';
import type { Message } from '../messages/link-errors.ts';

/** The error message; takes the focus, so that screen readers read it first. */
export function alertBox({ title, text }: Message) {
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

/** Filled by the script while a request is in progress. */
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

/** Link back to the list; null when there is no choice. */
export function backLink(href: string | null) {
  return href === null ? null : h('p', { class: 'back' }, h('a', { href }, 'Choose another one'));
}
