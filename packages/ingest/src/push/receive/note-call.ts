import { createHash } from 'node:crypto';
import type { Tx } from '@pulsewire/database';
import { headerOf, type PushSupport, type RawPush } from '@pulsewire/providers';

/** For so long calls are remembered of providers whose calls all differ. Longer than any signature is taken for fresh. */
export const rememberedDays = 8;
/** Of other providers equal calls may mean something new each time; a device that reports every five minutes is not noticed. */
const equalCallsMax = 12;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Notes a signed call in the transaction that stores it. False: it is a replay, there is nothing to be done. Of two equal calls at once the
 * second waits until it is known whether the first was stored. Calls that are not signed are all taken.
 */
export async function noteCall(
  { sql }: Tx,
  { provider, support, now }: { readonly provider: string; readonly support: PushSupport; readonly now: Date },
  push: RawPush,
): Promise<boolean> {
  const { replay } = support;
  if (!replay) return true;
  // Of headers only the signature counts: whoever sends a call again can change all others. Some providers' is taken in any case.
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
