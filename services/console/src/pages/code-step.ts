import { h } from 'preact';
import type { PendingChallenge } from '@pulsewire/connections';
import type { Connector, MfaChoice } from '@pulsewire/providers';
import type { Message } from '../messages/link-errors.ts';
import { alertBox, hidden, providerHead, statusLine } from './parts.ts';
import { pageHref, type Places, type View } from './view.ts';

/** Longer than any code that a provider sends. */
export const codeLengthMax = 32;

export interface CodeState {
  readonly token: string;
  readonly connector: Connector;
  readonly challenge: PendingChallenge;
  readonly alert: Message | null;
}

function codeInput(isFocused: boolean) {
  return h('input', {
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
    ...(isFocused ? { autofocus: true } : { 'aria-invalid': 'true' as const }),
  });
}

function choiceInput(choices: readonly MfaChoice[], isFocused: boolean) {
  const state = isFocused ? { autofocus: true } : { 'aria-invalid': 'true' as const };
  return h(
    'select',
    { id: 'field-code', name: 'code', required: true, autocomplete: 'off', ...state },
    h('option', { value: '', selected: true }, 'Please choose'),
    ...choices.map(({ value, label }) => h('option', { value }, label)),
  );
}

/** Texts of the step: for a code sent by the provider, or for a choice among the people whose data the account reads. */
function textsOf(name: string, { method, hint, choices }: PendingChallenge) {
  if (choices !== undefined)
    return {
      title: 'Whose data?',
      about: `This ${name} account follows several people. Choose the person whose data you want to share.`,
      label: 'Person',
      busy: 'Connecting…',
      back: 'Sign in again',
    };
  const way = method === 'sms' ? 'text message' : 'e-mail';
  return {
    title: 'Enter your code',
    about: `${name} has sent a code by ${way}${hint === '' ? '' : ` to ${hint}`}.`,
    label: 'Code',
    busy: 'Checking the code…',
    back: 'No code? Sign in again',
  };
}

/** The step in which the user enters the code sent by the provider, or makes a choice that it requires. */
export function codeStepView(places: Places, { token, connector, challenge, alert }: CodeState): View {
  const { name, slug } = connector;
  const { title, about, label, busy, back } = textsOf(name, challenge);
  return {
    title: alert ? `Error: ${alert.title}` : `${title} – ${name}`,
    closeToken: token,
    body: [
      alert && alertBox(alert),
      providerHead(places.logoFor(slug), title, about),
      h(
        'form',
        { method: 'post', action: `${places.root}/code`, 'data-busy': busy },
        hidden('token', token),
        hidden('provider', slug),
        h(
          'div',
          { class: 'field' },
          h('label', { for: 'field-code' }, label),
          challenge.choices === undefined ? codeInput(alert === null) : choiceInput(challenge.choices, alert === null),
        ),
        h('button', { type: 'submit', class: 'button' }, 'Continue'),
        statusLine(),
      ),
      h('p', { class: 'back' }, h('a', { href: pageHref(places, token, { provider: slug, again: '1' }) }, back)),
    ],
  };
}
