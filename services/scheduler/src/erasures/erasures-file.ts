import { createHmac, timingSafeEqual, type Hmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { AppError, isUuid } from '@pulsewire/kernel';
import type { Erasure, TeamErasure } from '@pulsewire/connections';
import type { LogIdentity } from '@pulsewire/eventlog';

// A different key, derived from that of the log's records, so that neither can be used in place of the other.
function macOf({ macKey }: LogIdentity): Hmac {
  return createHmac('sha256', createHmac('sha256', macKey).update('pulsewire erasures').digest());
}

function invalid(file: string, reason: string): AppError {
  return new AppError({ code: 'erasures_file_invalid', kind: 'invalid', message: `${file} ${reason}; nothing was replayed` });
}

/** A user, or a team when there is no user id. */
export type ListedErasure = Erasure | (TeamErasure & { readonly userId?: undefined });

/** Lines of JSON, one for each erasure; the last line is the MAC of all others. */
export async function writeErasures(file: string, identity: LogIdentity, pages: AsyncIterable<readonly ListedErasure[]>): Promise<number> {
  const mac = macOf(identity);
  let count = 0;
  await using handle = await open(file, 'w', 0o600);
  for await (const page of pages) {
    const text = page
      .map(({ userId, teamId, erasedAt }) => `${JSON.stringify({ user_id: userId, team_id: teamId, erased_at: erasedAt.toISOString() })}\n`)
      .join('');
    mac.update(text);
    count += page.length;
    await handle.writeFile(text);
  }
  await handle.writeFile(`${JSON.stringify({ count, mac: mac.digest('hex') })}\n`);
  await handle.sync();
  return count;
}

/** Throws AppError `erasures_file_invalid` unless this installation wrote the whole file. */
export async function verifyErasures(file: string, identity: LogIdentity): Promise<void> {
  const mac = macOf(identity);
  let last: string | null = null;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (last !== null) mac.update(`${last}\n`);
    last = line;
  }
  const found = Buffer.from(/"mac":"([0-9a-f]{64})"\}$/.exec(last ?? '')?.[1] ?? '', 'hex');
  if (found.length === 0) throw invalid(file, 'is no complete list of erasures');
  if (!timingSafeEqual(found, mac.digest())) throw invalid(file, 'was changed, or is the list of another installation');
}

/** The erasures of a verified file, in pages. */
export async function* readErasures(file: string): AsyncGenerator<readonly ListedErasure[]> {
  let page: ListedErasure[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { user_id: userId, team_id: teamId, erased_at: erasedAt } = JSON.parse(line) as Record<string, string>;
    if (teamId === undefined || erasedAt === undefined) continue;
    if (!isUuid(userId ?? teamId) || !isUuid(teamId)) throw invalid(file, 'holds something else than ids');
    page.push({ teamId, erasedAt: new Date(erasedAt), ...(userId !== undefined && { userId }) });
    if (page.length < pageMax) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Erasures that are read, written and replayed per batch. */
export const pageMax = 1000;
