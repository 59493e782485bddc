import { h } from 'preact';
import type { PageContext } from './context.ts';

/** Asks for the health values of a user: recorded in the audit log, once per user and session. */
export function revealForm({ frame }: PageContext, userId: string, text: string) {
  const { root, formToken } = frame;
  return h(
    'form',
    { method: 'post', action: `${root}/users/${userId}/reveal`, class: 'masked' },
    h('input', { type: 'hidden', name: 'form_token', value: formToken }),
    h('p', null, text),
    h('button', { type: 'submit', class: 'button quiet' }, 'Show values'),
    h('p', { class: 'soft small' }, 'Your key is written to the audit log with this user.'),
  );
}
