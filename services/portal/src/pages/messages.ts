import { h } from 'preact';
import type { ApiRefusal } from '../api/portal-error.ts';
import { notice } from './parts.ts';
import type { View } from './view.ts';

function messageView(title: string, text: string, root: string): View {
  return { title, body: [h('h1', null, title), notice('warn', title, text), h('p', null, h('a', { href: root }, 'Back to the start'))] };
}

export function missingScopeView(scope: string, root: string): View {
  return messageView(
    'This key may not open the page',
    `It lacks the scope ${scope}. Ask your administrator for a key that has it, then sign in with that key.`,
    root,
  );
}

/** What went wrong, with the API's own explanation. */
export function refusalView({ status, detail }: ApiRefusal, root: string): View {
  if (status === 404) return messageView('Not found', 'There is no such page, or it belongs to another team.', root);
  if (status === 403) return messageView('Not allowed', detail, root);
  if (status === 429 || status === 503)
    return messageView('Too many requests', 'The API is busy or its limit is reached. Try again in a few seconds.', root);
  if (status < 500) return messageView('The request was refused', detail, root);
  const text = status === 502 ? detail : 'The API could not respond.';
  return messageView('Something failed', `${text} Try again; if it stays like this, tell the operator.`, root);
}

export function failureView(root: string): View {
  return messageView('Something failed', 'The page could not be made. Try again; if it stays like this, tell the operator.', root);
}
