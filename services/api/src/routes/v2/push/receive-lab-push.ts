import { Type } from 'typebox';
import { receivePartnerPush } from '@pulsewire/labs';
import { bodyChunks } from '../../../http/requests/body-chunks.ts';
import { defineRoute } from '../../../route/route.ts';

const bytesMax = 1_000_000;
const timeMs = 10_000;

export const receiveLabPushRoute = defineRoute({
  method: 'POST',
  path: '/v2/push/lab_partner/{partner}',
  operationId: 'receiveLabPartnerPush',
  area: 'push',
  auth: 'none',
  summary: 'Receive the webhook of a lab partner',
  description:
    'Called by partners, which sign the request: scheduling partners by their name, labs as `lab-<slug>`, companies that send kits as `kits-<slug>`. Notices may repeat and arrive in any order.',
  params: Type.Object({ partner: Type.String({ maxLength: 64 }) }, { title: 'PartnerPushParams' }),
  streamsBody: true,
  body: Type.Unknown({ description: 'What the partner sends; its signature is over the exact bytes.' }),
  responses: { 204: { description: 'Accepted.' } },
  failures: [403, 404, 503],
  turnsOf: ({ params }) => `partner ${params.partner}`,
  async handler({ labCalls, labBytes }, { params, raw }) {
    // One share for all of them, as nobody knows yet who is calling.
    const hold = labBytes.open('partners');
    try {
      const chunks: Uint8Array[] = [];
      if (raw.stream)
        for await (const chunk of bodyChunks(raw.stream, { bytesMax, timeMs, of: 'whole' })) {
          hold.add(chunk.length);
          chunks.push(chunk);
        }
      await receivePartnerPush(labCalls, params.partner, { headers: raw.headers, body: Buffer.concat(chunks) });
    } finally {
      hold.release();
    }
    return { status: 204 };
  },
});
