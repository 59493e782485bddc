import { Type } from 'typebox';
import { DetailBody, UserParams } from '@pulsewire/contract';
import { AppError, isJsonDeeperThan } from '@pulsewire/kernel';
import { batchBytesMax, receiveBatch } from '@pulsewire/intake';
import { phoneProviderOf } from '@pulsewire/providers';
import { bodyChunks } from '../../http/requests/body-chunks.ts';
import { accepted, defineRoute } from '../../route/route.ts';
import { authenticateSender } from './authenticate-sender.ts';
import { AcceptedBody } from './sdk-schemas.ts';

const wholeTimeMs = 60_000;

const Batch = Type.Object(
  {
    provider: Type.String({ description: 'apple, google (Health Connect) or samsung.' }),
    sdkVersion: Type.Optional(Type.Unknown()),
    syncTimestamp: Type.Optional(Type.Unknown()),
    data: Type.Object({
      records: Type.Optional(Type.Array(Type.Unknown())),
      sleep: Type.Optional(Type.Array(Type.Unknown())),
      workouts: Type.Optional(Type.Array(Type.Unknown())),
      deleted: Type.Optional(
        Type.Array(Type.Object({ id: Type.String(), type: Type.Optional(Type.String()) }), {
          description: 'Our own extension: ids of items that the person deleted on the phone.',
        }),
      ),
    }),
  },
  { title: 'PhoneBatch' },
);

const badEnvelope = (message: string) => new AppError({ code: 'batch_unreadable', kind: 'invalid', message });

/** The sender in our terms. Throws AppError `batch_unreadable` (400) when the envelope does not contain it. */
function providerOf(body: Buffer) {
  if (isJsonDeeperThan(body)) throw badEnvelope('The body is nested too deep');
  let envelope: unknown;
  try {
    envelope = JSON.parse(body.toString('utf8'));
  } catch {
    throw badEnvelope('Malformed JSON');
  }
  const provider = phoneProviderOf((envelope as { readonly provider?: unknown } | null)?.provider);
  if (!provider) throw badEnvelope("The provider must be 'apple', 'google' or 'samsung'");
  return provider;
}

export const syncPhoneRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/sync',
  operationId: 'syncPhone',
  area: 'phones',
  auth: 'phone',
  summary: 'Receive a batch from a phone',
  description:
    'Called by the mobile SDKs, with `Authorization: Bearer` or `X-Open-Wearables-API-Key`. The batch is stored as received and processed later, in order of arrival for each user; single items that cannot be read are left out. The first batch connects the health store. At most 20 MiB; After a 503, send it again later.',
  params: UserParams,
  body: Batch,
  streamsBody: true,
  responses: {
    202: { description: 'Stored.', schema: AcceptedBody },
    401: { description: 'No token or key, or one that is not valid.', schema: DetailBody },
  },
  failures: [400, 403, 404, 503],
  async handler(context, { params: { user_id: userId }, raw }) {
    const sender = await authenticateSender(context, raw.headers, userId);
    const hold = context.phone.bytes.open('phones');
    try {
      const chunks: Uint8Array[] = [];
      if (raw.stream)
        for await (const chunk of bodyChunks(raw.stream, { bytesMax: batchBytesMax, timeMs: wholeTimeMs, of: 'whole' })) {
          hold.add(chunk.length);
          chunks.push(chunk);
        }
      const body = Buffer.concat(chunks);
      await receiveBatch(context.phone.receiving, { ...sender, provider: providerOf(body), body, traceId: context.traceId });
    } finally {
      hold.release();
    }
    return accepted({ status_code: 202, response: 'The batch is stored and will be worked on', user_id: userId });
  },
});
