import { h } from 'preact';
import type { PageProvider } from '@pulsewire/connections';
import type { FormField } from '@pulsewire/providers';
import type { Message } from '../messages/link-errors.ts';
import { fieldRow } from './field.ts';
import { alertBox, backLink, hidden, providerHead, statusLine } from './parts.ts';
import { readsOf } from '../messages/resources.ts';
import { pageHref, type Places, type View } from './view.ts';

export interface StepState {
  readonly token: string;
  readonly teamName: string;
  readonly provider: PageProvider;
  /** Whether the page offers other providers. */
  readonly hasOthers: boolean;
  readonly alert: Message | null;
  /** Values typed before, by name of the field. */
  readonly values?: Readonly<Record<string, string>>;
  readonly problems?: Readonly<Record<string, string>>;
}

function leaveBody(places: Places, { token, provider }: StepState) {
  const { slug, name } = provider.connector;
  const href = `${places.root}/start?${new URLSearchParams({ token, provider: slug }).toString()}`;
  return [
    h('p', null, `${name} asks you to sign in and shows what will be shared. Then you come back here and confirm.`),
    h('p', null, h('a', { href, class: 'button', 'data-busy': `Going to ${name}…` }, `Continue to ${name}`)),
  ];
}

/** Who will read what, shown before the user types or agrees to anything. */
function readsLine({ teamName, provider: { connector, kind } }: StepState) {
  if (kind !== 'account') return h('p', null, 'You are connecting to ', h('strong', null, teamName), '.');
  return h('p', null, h('strong', null, teamName), ` will read: ${readsOf(connector.resources)}.`);
}

/** Texts beside the form; `button` where the form does not connect immediately. */
function wordsOf({ kind, connector: { name, authType } }: PageProvider): { note: string; busy: string; button?: string } {
  if (kind === 'demo')
    return {
      note: 'You see thirty days of generated data, and new data every two hours. No account is needed.',
      busy: 'Connecting…',
    };
  if (kind === 'manual')
    return {
      note: 'This only creates the connection. Its data comes from the app that sent you here, or from a device connected to it.',
      busy: 'Connecting…',
    };
  if (authType === 'email')
    return {
      note: `A practice that reads ${name} for us invites this address. You accept the invitation there, then the practice confirms; this can take some days. Until then nothing is shared.`,
      busy: 'Requesting…',
      button: 'Request an invitation',
    };
  return {
    note: `Use your ${name} sign-in. It is sent to ${name} only, and stored encrypted only if it is needed to fetch your data.`,
    busy: `Connecting to ${name}… This may take a minute.`,
  };
}

function formBody(places: Places, { token, provider, alert, values = {}, problems = {} }: StepState, form: readonly FormField[]) {
  const { name } = provider.connector;
  const { note, busy, button } = wordsOf(provider);
  return h(
    'form',
    { method: 'post', action: `${places.root}/form`, 'data-busy': busy },
    hidden('token', token),
    hidden('provider', provider.key),
    ...form.map((field, index) =>
      fieldRow(field, { value: values[field.name] ?? '', problem: problems[field.name] ?? null, isFirst: index === 0 && alert === null }),
    ),
    h('p', { class: 'note soft' }, note),
    h('button', { type: 'submit', class: 'button' }, button ?? `Connect ${name}`),
    statusLine(),
  );
}

/** The step of one provider: the link to its sign-in, or the form with the fields that it declares. */
export function providerStepView(places: Places, state: StepState): View {
  const { connector, form } = state.provider;
  const title = `Connect ${connector.name}`;
  return {
    title: state.alert ? `Error: ${state.alert.title}` : title,
    closeToken: state.token,
    body: [
      state.alert && alertBox(state.alert),
      providerHead(places.logoFor(connector.slug), title, connector.description),
      readsLine(state),
      form === null ? leaveBody(places, state) : formBody(places, state, form),
      form === null ? statusLine() : null,
      backLink(state.hasOthers ? pageHref(places, state.token, { list: '1' }) : null),
    ],
  };
}
