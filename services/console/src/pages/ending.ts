import { h } from 'preact';
import type { LinkErrorType } from '@pulsewire/contract';
import type { Connector } from '@pulsewire/providers';
import { errorMessage, type Message } from '../messages/link-errors.ts';
import { heading } from './parts.ts';
import { pageHref, type Places, type View } from './view.ts';

const mark = (sign: string, kind: string) => h('p', { class: `mark ${kind}`, 'aria-hidden': 'true' }, sign);

/** The connection was created. */
export function linkedView(connector: (Pick<Connector, 'name'> & Partial<Pick<Connector, 'authType'>>) | undefined): View {
  const name = connector?.name ?? 'Your account';
  const isPending = connector?.authType === 'email';
  const title = isPending ? 'Almost done' : `${name} is connected`;
  const text = isPending
    ? `Your request is waiting to be confirmed. The practice that reads ${name} for us sends an invitation to your address: please accept it in the app or in your e-mail. After that the practice confirms, which can take some days, and your data arrives. Until then nothing is shared. You may close this window.`
    : 'Your data will arrive in the next minutes. You may close this window.';
  return { title, body: [mark('✓', 'good'), heading(title), h('p', null, text)] };
}

/** The link can no longer be used. */
export function refusedView(errorType: LinkErrorType): View {
  return stopView(errorMessage(errorType));
}

/** A final page without further actions. */
export function stopView({ title, text }: Message): View {
  return { title, body: [mark('!', 'bad'), heading(title), h('p', null, text)] };
}

/** The user closed the page; the link still works until it expires. */
export function closedView(places: Places, token: string): View {
  const title = 'Nothing was connected';
  return {
    title,
    body: [
      heading(title),
      h('p', null, 'You may close this window.'),
      h('p', { class: 'back' }, h('a', { href: pageHref(places, token, { list: '1' }) }, 'Go back and connect')),
    ],
  };
}

/** Redirects the browser after a form: the content security policy blocks a redirect of the form's own response. */
export function redirectView(location: string): View {
  const title = 'Taking you back';
  return {
    title,
    redirectTo: location,
    body: [heading(title), h('p', null, h('a', { href: location, class: 'button', rel: 'noreferrer', autofocus: true }, 'Continue'))],
  };
}
