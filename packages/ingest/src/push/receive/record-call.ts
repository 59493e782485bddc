import { dayMs, hourMs } from '@pulsewire/kernel';
import { createHash } from 'node:crypto';
import type { Tx } from '@pulsewire/database';
import { headerOf, type PushSupport, type RawPush } from '@pulsewire/providers';

/** How long calls are remembered for providers whose calls all differ. Longer than any signature is accepted as fresh. */
export const rememberedDays = 8;
/** Equal calls of other providers may mean something new each time; a device that reports every five minutes stays below this limit. */
const equalCallsMax = 12;

/**
 * Records a signed call in the transaction that stores it. False: it is a replay and is ignored. Of two concurrent equal calls the second
 * waits until the first has committed or rolled back. Unsigned calls are always accepted.
 */
export async function recordCall(
  { sql }: Tx,
  { provider, support, now }: { readonly provider: string; readonly support: PushSupport; readonly now: Date },
  push: RawPush,
): Promise<boolean> {
  const { replay } = support;
  if (!replay) return true;
  // Of the headers only the signature counts: an attacker who replays a call can change all others.
  const signature = headerOf(push, replay.signatureHeader)?.toLowerCase() ?? '';
  const digest = createHash('sha256').update(`${signature}\n`).update(push.body).digest();
  const callsMax = replay.callsDiffer ? 1 : equalCallsMax;
  const from = new Date(now.getTime() - (replay.callsDiffer ? rememberedDays * dayMs : hourMs)).toISOString();
  const rows = await sql`
    INSERT INTO push_digests AS d (provider, digest, calls, since) VALUES (${provider}, ${digest}, 1, ${now.toISOString()})
    ON CONFLICT (provider, digest) DO UPDATE SET
      calls = CASE WHEN d.since <= ${from}::timestamptz THEN 1 ELSE d.calls + 1 END,
      since = CASE WHEN d.since <= ${from}::timestamptz THEN excluded.since ELSE d.since END
    WHERE d.since <= ${from}::timestamptz OR d.calls < ${callsMax}
    RETURNING 1 AS noted`;
  return rows.length > 0;
}
