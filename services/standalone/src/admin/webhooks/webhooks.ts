import { isUuid, AppError } from '@pulsewire/kernel';
import { getMessage, listAllEndpoints, listAttempts, readStatistics, resendMessage, sendTest, updateEndpoint } from '@pulsewire/webhooks';
import { required, type AdminCommand, type AdminContext } from '../command/command.ts';
import { endpointOf, optionInstant, optionWord } from '../command/options.ts';

const pageMax = 100;
const attemptsShown = 100;
const sentWords = {
  queued: 'is queued',
  held: 'waits for earlier messages of its user to complete',
  under_way: 'is being sent',
} as const;

async function list({ database, print }: AdminContext, teamId: string | null): Promise<void> {
  if (teamId !== null && !isUuid(teamId))
    throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: '<team_id> must be a UUID' });
  let afterId: string | null = null;
  for (;;) {
    const page = await listAllEndpoints(database, { teamId, afterId, limit: pageMax });
    for (const one of page) {
      const state =
        one.disabledReason === null
          ? one.failingSince === null
            ? 'enabled'
            : `failing since ${one.failingSince.toISOString()}`
          : `disabled (${one.disabledReason})`;
      // Without the query, which may contain a secret of the receiver.
      print(`${one.endpointId}  team ${one.teamId}  ${one.url.split('?', 1)[0]}  ${state}  ${one.waiting} waiting`);
    }
    afterId = page.at(-1)?.endpointId ?? null;
    if (page.length < pageMax) return;
  }
}

const switchCommand = (name: 'enable' | 'disable', about: string): AdminCommand => ({
  name: `webhooks ${name}`,
  usage: '<endpoint_id>',
  about,
  async run(context, args) {
    const { recovery } = await updateEndpoint(...(await endpointOf(context, args)), { disabled: name === 'disable' });
    context.print(name === 'disable' ? 'Disabled.' : 'Enabled.');
    if (recovery)
      context.print(
        `${recovery.exact ? '' : 'At least '}${recovery.messages} messages did not arrive. Send them: webhooks replay ${args.positionals[0]} --since ${recovery.since} --selection ${recovery.selection}`,
      );
  },
});

/** Webhook endpoints of all teams, with the actions that teams have for their own endpoints. */
export const webhookCommands: readonly AdminCommand[] = [
  {
    name: 'webhooks list',
    usage: '[team_id]',
    about: 'list the endpoints of all teams, or of one',
    run: (context, args) => list(context, args.positionals[0] ?? null),
  },
  {
    name: 'webhooks show',
    usage: '<endpoint_id>',
    about: "show an endpoint's state and its last 24 hours",
    async run(context, args) {
      const s = await readStatistics(...(await endpointOf(context, args)), 24);
      const rate = s.success_rate === null ? 'no attempts' : `${(100 * s.success_rate).toFixed(2)} % of ${s.attempts} attempts succeeded`;
      context.print(
        `${rate}${s.exact ? '' : ` (since ${s.since})`}; p50 ${s.duration_p50_ms ?? '-'} ms, p99 ${s.duration_p99_ms ?? '-'} ms`,
      );
      context.print(`${s.in_flight} in flight, ${s.waiting} waiting, the oldest from ${s.oldest_undelivered_at ?? '-'}`);
      if (s.last_error) context.print(`last error ${s.last_error.at}: ${s.last_error.text} (${s.last_error.message_id})`);
    },
  },
  {
    name: 'webhooks attempts',
    usage: '<endpoint_id> [--status succeeded|failed|superseded] [--since <instant>] [--until <instant>]',
    about: `list the newest ${attemptsShown} attempts`,
    async run(context, args) {
      const status = optionWord(args, 'status', ['succeeded', 'failed', 'superseded']);
      const range = { since: optionInstant(args, 'since'), until: optionInstant(args, 'until') };
      const page = await listAttempts(...(await endpointOf(context, args)), { ...range, limit: attemptsShown, ...(status && { status }) });
      for (const one of page.data)
        context.print(
          `${one.attempted_at}  ${one.message_id}  ${one.event_type}  attempt ${one.attempt}  ${one.status}  ${one.response_status ?? one.error ?? ''}  ${one.duration_ms} ms`,
        );
      if (page.next_cursor !== null) context.print('… there are older ones; narrow it down with --until');
    },
  },
  {
    name: 'webhooks message',
    usage: '<team_id> <message_id>',
    about: 'show the delivery status of a message at each endpoint, without its body',
    async run(context, args) {
      const findProvider = () => undefined;
      const message = await getMessage({ ...context, findProvider }, required(args, 0, 'team_id'), required(args, 1, 'message_id'));
      context.print(`${message.message_id}  ${message.event_type}  ${message.created_at}`);
      for (const one of message.deliveries) context.print(`${one.webhook_id}  ${one.status}  next ${one.next_attempt_at ?? '-'}`);
      for (const one of message.attempts)
        context.print(
          `${one.attempted_at}  ${one.webhook_id}  attempt ${one.attempt}  ${one.status}  ${one.response_status ?? one.error ?? ''}`,
        );
    },
  },
  switchCommand('disable', 'stop deliveries to an endpoint'),
  switchCommand('enable', 'resume deliveries to an endpoint, and show what it missed'),
  {
    name: 'webhooks resend',
    usage: '<endpoint_id> <message_id>',
    about: 'send a message to an endpoint, whether or not it was sent before',
    async run(context, args) {
      const { message_id: id, status } = await resendMessage(...(await endpointOf(context, args)), required(args, 1, 'message_id'));
      context.print(`${id} ${sentWords[status]}.`);
    },
  },
  {
    name: 'webhooks test',
    usage: '<endpoint_id> <event_type>',
    about: 'send the example of an event type to an endpoint',
    async run(context, args) {
      const { message_id: id } = await sendTest(...(await endpointOf(context, args)), required(args, 1, 'event_type'));
      context.print(`${id} is queued.`);
    },
  },
];
