import { AppError } from '@pulsewire/kernel';
import { cancelReplay, countReplay, createReplay, listReplays, recoverSince } from '@pulsewire/webhooks';
import { required, requiredOption, type AdminCommand } from '../command/command.ts';
import { endpointOf, optionInstant, optionText, optionUuid, optionWord, parseInstant } from '../command/options.ts';

const shown = 50;
const selections = ['all', 'failed', 'missing', 'undelivered'] as const;

/** Replays of a range of messages, for endpoints of all teams. */
export const webhookReplayCommands: readonly AdminCommand[] = [
  {
    name: 'webhooks replay',
    usage: `<endpoint_id> --since <instant> --selection ${selections.join('|')} [--until <instant>] [--user <user_id>] [--types <type,…>] [--dry-run]`,
    about: 'resend a range of events; --dry-run only counts them',
    async run(context, args) {
      const selection = optionWord(args, 'selection', selections);
      if (selection === undefined)
        throw new AppError({ code: 'argument_missing', kind: 'invalid', message: 'Option --selection is missing' });
      const request = {
        since: parseInstant('--since', requiredOption(args, 'since')),
        until: optionInstant(args, 'until') ?? null,
        userId: optionUuid(args, 'user') ?? null,
        eventTypes: optionText(args, 'types')?.split(',') ?? null,
        selection,
      };
      const endpoint = await endpointOf(context, args);
      if (args.options['dry-run'] === true) {
        const { messages, exact } = await countReplay(...endpoint, request);
        context.print(`${exact ? '' : 'At least '}${messages} messages`);
      } else context.print(`Replay ${(await createReplay(...endpoint, request)).id} has started.`);
    },
  },
  {
    name: 'webhooks recover',
    usage: '<endpoint_id> <since>',
    about: 'retry deliveries that have failed since a given time',
    async run(context, args) {
      const since = parseInstant('<since>', required(args, 1, 'since'));
      const { messages, replay_id: id } = await recoverSince(...(await endpointOf(context, args)), since);
      context.print(`${messages} messages; replay ${id} has started.`);
    },
  },
  {
    name: 'webhooks replays',
    usage: '<endpoint_id>',
    about: 'list the replays of an endpoint and their progress, newest first',
    async run(context, args) {
      for (const one of (await listReplays(...(await endpointOf(context, args)), { limit: shown })).data)
        context.print(
          `${one.created_at}  ${one.id}  ${one.status}  ${one.selection}  ${one.since} to ${one.until}  ${one.total} matched, ${one.delivered} delivered, ${one.exhausted} given up`,
        );
    },
  },
  {
    name: 'webhooks cancel',
    usage: '<endpoint_id> <replay_id>',
    about: 'cancel a replay; requests in flight complete',
    async run(context, args) {
      const { status } = await cancelReplay(...(await endpointOf(context, args)), required(args, 1, 'replay_id'));
      context.print(status === 'cancelled' ? 'Cancelled.' : `It had already ended: ${status}.`);
    },
  },
];
