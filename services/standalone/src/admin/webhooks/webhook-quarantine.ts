import { listQuarantined, releaseQuarantined } from '@pulsewire/webhooks';
import { required, type AdminCommand } from '../command/command.ts';

const shown = 100;

/** Deliveries that were quarantined because Postgres rejected their values. */
export const webhookQuarantineCommands: readonly AdminCommand[] = [
  {
    name: 'webhooks quarantined',
    usage: '',
    about: `list the newest ${shown} deliveries that were quarantined because Postgres refused to record them, with the SQLSTATE`,
    async run({ database, print }) {
      const rows = await listQuarantined(database, shown);
      for (const one of rows)
        print(
          `${one.quarantinedAt.toISOString()}  ${one.endpointId}  ${one.eventId}  ${one.eventType ?? ''}  SQLSTATE ${one.code}${one.replayId === null ? '' : `  replay ${one.replayId}`}`,
        );
      if (rows.length === 0) print('None.');
    },
  },
  {
    name: 'webhooks release',
    usage: '<endpoint_id> <event_id>',
    about: 'resend a quarantined delivery once its cause is fixed',
    async run({ database, print }, args) {
      await releaseQuarantined(database, required(args, 0, 'endpoint_id'), required(args, 1, 'event_id'));
      print('Queued.');
    },
  },
];
