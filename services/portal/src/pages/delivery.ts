import { h } from 'preact';
import type { MessageDetailBody } from '@pulsewire/contract';
import { actionForm, saidNotice } from './actions.ts';
import type { PageContext } from './context.ts';
import { endpointName, readEndpoints } from './deliveries.ts';
import { asCurl, facts, fullTime, section, statusOf, table } from './parts.ts';
import { revealForm } from './reveal.ts';
import type { View } from './view.ts';

/** Characters of a body that a page shows. */
const shownMax = 64 * 1024;

function bodyOf(message: MessageDetailBody, context: PageContext) {
  const { body, user_id: userId } = message;
  if (body === null) return h('p', { class: 'soft' }, 'It was erased with its user, or cannot be built.');
  // A test event has example values, of nobody.
  if (userId !== null && message.sequence !== null && !context.isRevealed(userId))
    return revealForm(context, userId, 'The body contains health values. They are masked until you ask for them.');
  const text = JSON.stringify(body, null, 2);
  const shown = h('pre', { class: 'command', 'data-copy': '', tabIndex: 0 }, h('code', null, text.slice(0, shownMax)));
  if (text.length <= shownMax) return shown;
  const kilobytes = Math.ceil(text.length / 1024);
  return [h('p', { class: 'soft' }, `The first 64 kB of about ${kilobytes}. The request below returns all of it.`), shown];
}

function resendForm(context: PageContext, messageId: string, endpointId: string, name: string) {
  return actionForm(context, {
    path: `/deliveries/${messageId}/resend`,
    scope: 'webhooks',
    text: `Send again to ${name}`,
    fields: h('input', { type: 'hidden', name: 'endpoint', value: endpointId }),
    curl: ['POST', `/v2/team/webhook/${endpointId}/message/${messageId}/resend`],
  });
}

/** One message: every attempt at every endpoint, and its body behind a click. */
export async function deliveryPage(context: PageContext): Promise<View> {
  const { api, frame } = context;
  const { root, apiUrl } = frame;
  const path = `/v2/team/message/${encodeURIComponent(context.param('messageId'))}`;
  const [message, endpoints] = await Promise.all([api.get<MessageDetailBody>(path), readEndpoints(context)]);
  const { attempts, deliveries } = message;
  return {
    title: message.event_type,
    section: 'deliveries',
    body: [
      h('p', { class: 'crumb' }, h('a', { href: `${root}/deliveries` }, 'Deliveries')),
      h('h1', null, message.event_type),
      saidNotice(context),
      facts([
        ['Message id', h('code', null, message.message_id)],
        ['Created', fullTime(message.created_at)],
        [
          'User',
          message.user_id && message.sequence !== null ? h('a', { href: `${root}/users/${message.user_id}` }, message.user_id) : 'none',
        ],
        ['Sequence', message.sequence === null ? 'none: a test event' : String(message.sequence)],
      ]),
      section(
        'State',
        deliveries.length === 0
          ? h('p', { class: 'soft' }, 'Sent to no endpoint yet.')
          : table(
              'State at each endpoint',
              ['Endpoint', 'State', 'Attempts', 'Next attempt'],
              deliveries.map((one) => [
                h('a', { href: `${root}/endpoints/${one.webhook_id}` }, endpointName(endpoints, one.webhook_id)),
                statusOf(one.status),
                String(one.attempts),
                fullTime(one.next_attempt_at),
              ]),
            ),
      ),
      ...deliveries
        .filter((one) => endpoints.has(one.webhook_id))
        .map((one) => resendForm(context, message.message_id, one.webhook_id, endpointName(endpoints, one.webhook_id))),
      section(
        'Attempts',
        attempts.length === 0
          ? h('p', { class: 'soft' }, 'None is recorded.')
          : table(
              'Attempts, newest first',
              ['At', 'Endpoint', 'Attempt', 'State', 'Response', 'Took'],
              attempts.map((one) => [
                fullTime(one.attempted_at),
                endpointName(endpoints, one.webhook_id),
                String(one.attempt),
                statusOf(one.status),
                one.response_status ? String(one.response_status) : h('code', null, one.error ?? 'no response'),
                `${one.duration_ms} ms`,
              ]),
            ),
      ),
      section('Body', bodyOf(message, context)),
      asCurl(apiUrl, [path]),
    ],
  };
}
