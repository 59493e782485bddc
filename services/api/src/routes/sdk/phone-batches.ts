import { createGunzip } from 'node:zlib';
import { Type } from 'typebox';
import { DetailBody, UserParams } from '@pulsewire/contract';
import { AppError, isAppError, jsonFault } from '@pulsewire/kernel';
import { batchBytesMax, phoneJsonBounds, receiveBatch } from '@pulsewire/intake';
import { phoneProviderOf } from '@pulsewire/providers';
import { bodyChunks, bodyTooLarge } from '../../http/requests/body-chunks.ts';
import type { PhoneRequestContext } from '../../context/context.ts';
import type { RawRequest } from '../../context/raw-request.ts';
import { accepted, defineRoute } from '../../route/route.ts';
import { assertSender, type Sender } from './assert-sender.ts';
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

const AppleBatch = Type.Object({ ...Batch.properties, provider: Type.Optional(Type.String()) }, { title: 'ApplePhoneBatch' });

const badEnvelope = (message: string) => new AppError({ code: 'batch_unreadable', kind: 'invalid', message });

/** The sender in our terms, `assumed` where the envelope names none. Throws AppError `batch_unreadable` (400) when it names another. */
function providerOf(body: Buffer, assumed?: string) {
  const fault = jsonFault(body, phoneJsonBounds);
  if (fault === 'too_deep') throw badEnvelope('The body is nested too deep');
  if (fault !== null) throw badEnvelope('The body has too many values: send at most 300,000, and 150,000 items in a list');
  let envelope: unknown;
  try {
    envelope = JSON.parse(body.toString('utf8'));
  } catch {
    throw badEnvelope('Malformed JSON');
  }
  const provider = phoneProviderOf((envelope as { readonly provider?: unknown } | null)?.provider ?? assumed);
  if (!provider) throw badEnvelope("The provider must be 'apple', 'google' or 'samsung'");
  return provider;
}

/** The body as JSON text; some builds of the Android SDK compress it. Each piece is counted before the next is unfolded. */
async function plainOf(body: Buffer, headers: RawRequest['headers'], count: (bytes: number) => void): Promise<Buffer> {
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw badEnvelope('The Content-Encoding must be gzip, or absent');
  const unzip = createGunzip();
  unzip.end(body);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > batchBytesMax) throw bodyTooLarge();
      count(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    throw isAppError(error) ? error : badEnvelope('The body is not in gzip format');
  }
  return Buffer.concat(chunks);
}

/** Stores the body of a batch as it arrives. */
async function receive(context: PhoneRequestContext, userId: string, raw: RawRequest, assumed?: string) {
  const sender = await assertSender(context, userId);
  return context.phone.limits.run(sender.userId, () => receiveFrom(context, sender, raw, assumed));
}

async function receiveFrom(context: PhoneRequestContext, sender: Sender, raw: RawRequest, assumed?: string) {
  const { userId, teamId } = sender;
  const hold = context.phone.bytes.open(teamId);
  try {
    const chunks: Uint8Array[] = [];
    if (raw.stream)
      for await (const chunk of bodyChunks(raw.stream, { bytesMax: batchBytesMax, timeMs: wholeTimeMs, of: 'whole' })) {
        hold.add(chunk.length);
        chunks.push(chunk);
      }
    const body = await plainOf(Buffer.concat(chunks), raw.headers, (bytes) => hold.add(bytes));
    await receiveBatch(context.phone.receiving, { ...sender, provider: providerOf(body, assumed), body, traceId: context.traceId });
  } finally {
    hold.release();
  }
  return accepted({ status_code: 202, response: 'The batch is stored and will be worked on', user_id: userId });
}

export const syncPhoneRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/sync',
  operationId: 'syncPhone',
  area: 'phones',
  auth: 'phone',
  summary: 'Receive a batch from a phone',
  description:
    'Called by the mobile SDKs, with `Authorization: Bearer` (or the bare token) or `X-Open-Wearables-API-Key`. The batch is stored as received and processed later, in order of arrival for each user; single items that cannot be read are left out. The first batch connects the health store. At most 20 MiB; After a 503, send it again later.',
  params: UserParams,
  body: Batch,
  streamsBody: true,
  responses: {
    202: { description: 'Stored.', schema: AcceptedBody },
    401: { description: 'No token or key, or one that is not valid.', schema: DetailBody },
  },
  failures: [400, 403, 404, 503],
  handler: (context, { params: { user_id: userId }, raw }) => receive(context, userId, raw),
});

export const syncApplePhoneRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/sync/apple',
  operationId: 'syncApplePhone',
  area: 'phones',
  auth: 'phone',
  summary: 'Receive a batch from an older iPhone SDK',
  description: 'The path of iOS SDKs up to 0.3, of which the first send no provider. Otherwise like `syncPhone`.',
  params: UserParams,
  body: AppleBatch,
  streamsBody: true,
  responses: {
    202: { description: 'Stored.', schema: AcceptedBody },
    401: { description: 'No token or key, or one that is not valid.', schema: DetailBody },
  },
  failures: [400, 403, 404, 503],
  handler: (context, { params: { user_id: userId }, raw }) => receive(context, userId, raw, 'apple'),
});
