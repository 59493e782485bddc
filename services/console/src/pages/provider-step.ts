import { h } from 'preact';
import type { LinkableProvider } from '@pulsewire/connections';
import type { FormField } from '@pulsewire/providers';
import type { Words } from '../words/link-errors.ts';
import { fieldRow } from './field.ts';
import { alertBox, backLink, hidden, providerHead, statusLine } from './parts.ts';
import { pageHref, type Places, type View } from './view.ts';

export interface StepState {
  readonly token: string;
  readonly provider: LinkableProvider;
  /** Whether there are others to go back to. */
  readonly hasOthers: boolean;
  readonly alert: Words | null;
  /** As typed before, by name of the field. */
  readonly values?: Readonly<Record<string, string>>;
  readonly problems?: Readonly<Record<string, string>>;
}

function leaveBody(places: Places, { token, provider }: StepState) {
  const { slug, name } = provider.connector;
  const href = `${places.root}/start?${new URLSearchParams({ token, provider: slug }).toString()}`;
  return [
    h('p', null, `${name} asks you to sign in and shows what will be shared. Then you come back here.`),
    h('p', null, h('a', { href, class: 'button', 'data-busy': `Going to ${name}…` }, `Continue to ${name}`)),
  ];
}

function formBody(places: Places, { token, provider, alert, values = {}, problems = {} }: StepState, form: readonly FormField[]) {
  const { slug, name, authType } = provider.connector;
  const note =
    authType === 'email'
      ? `We ask ${name} to invite this address. You agree there; until then nothing is shared.`
      : `Use your sign-in of ${name}. It is sent to ${name} only, and kept encrypted as far as it is needed to fetch your data.`;
  return h(
    'form',
    { method: 'post', action: `${places.root}/form`, 'data-busy': `Connecting to ${name}…` },
    hidden('token', token),
    hidden('provider', slug),
    ...form.map((field, index) =>
      fieldRow(field, { value: values[field.name] ?? '', problem: problems[field.name] ?? null, isFirst: index === 0 && alert === null }),
    ),
    h('p', { class: 'note soft' }, note),
    h('button', { type: 'submit', class: 'button' }, authType === 'email' ? 'Send the invitation' : `Connect ${name}`),
    statusLine(),
  );
}

/** The step of one provider: the way to its own pages, or the form of the fields that it declares. */
export function providerStepView(places: Places, state: StepState): View {
  const { connector, form } = state.provider;
  const title = `Connect ${connector.name}`;
  return {
    title: state.alert ? `Error: ${state.alert.title}` : title,
    closeToken: state.token,
    body: [
      state.alert && alertBox(state.alert),
      providerHead(places.logoFor(connector.slug), title, connector.description),
      form === null ? leaveBody(places, state) : formBody(places, state, form),
      form === null ? statusLine() : null,
      backLink(state.hasOthers ? pageHref(places, state.token, { list: '1' }) : null),
    ],
  };
}
