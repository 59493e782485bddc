import { h } from 'preact';
import type { Connector } from '@pulsewire/providers';
import type { Message } from '../messages/link-errors.ts';
import { alertBox, hidden, providerHead, statusLine } from './parts.ts';
import { pageHref, type Places, type View } from './view.ts';

/** Longer than any code that a provider sends. */
export const codeLengthMax = 32;

export interface CodeState {
  readonly token: string;
  readonly connector: Connector;
  readonly method: 'sms' | 'email';
  /** Masked destination; may be empty. */
  readonly hint: string;
  readonly alert: Message | null;
}

/** The step that asks for the code sent by the provider. */
export function codeStepView(places: Places, { token, connector, method, hint, alert }: CodeState): View {
  const { name, slug } = connector;
  const title = 'Enter your code';
  const sent = `${name} has sent a code by ${method === 'sms' ? 'text message' : 'e-mail'}${hint === '' ? '' : ` to ${hint}`}.`;
  return {
    title: alert ? `Error: ${alert.title}` : `${title} – ${name}`,
    closeToken: token,
    body: [
      alert && alertBox(alert),
      providerHead(places.logoFor(slug), title, sent),
      h(
        'form',
        { method: 'post', action: `${places.root}/code`, 'data-busy': 'Checking the code…' },
        hidden('token', token),
        hidden('provider', slug),
        h(
          'div',
          { class: 'field' },
          h('label', { for: 'field-code' }, 'Code'),
          h('input', {
            id: 'field-code',
            name: 'code',
            type: 'text',
            class: 'code',
            inputMode: 'numeric',
            autocomplete: 'one-time-code',
            autocapitalize: 'off',
            spellcheck: false,
            required: true,
            maxLength: codeLengthMax,
            ...(alert ? { 'aria-invalid': 'true' as const } : { autofocus: true }),
          }),
        ),
        h('button', { type: 'submit', class: 'button' }, 'Continue'),
        statusLine(),
      ),
      h('p', { class: 'back' }, h('a', { href: pageHref(places, token, { provider: slug, again: '1' }) }, 'No code? Sign in again')),
    ],
  };
}
