import { and, between, desc, eq, isNull, like, or } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { users } from '../model/tables.ts';
import { toUser, type User } from './user.ts';

const usersMax = 100;
const zeroId = '00000000-0000-0000-0000-000000000000';

// Ids that start with the text are one range of the index; casting ids to text would scan the table.
function idRange(prefix: string): { readonly from: string; readonly to: string } | null {
  const text = prefix.toLowerCase();
  if (text.length > zeroId.length) return null;
  for (let i = 0; i < text.length; i++) {
    const fits = zeroId[i] === '-' ? text[i] === '-' : /[0-9a-f]/.test(text.charAt(i));
    if (!fits) return null;
  }
  const rest = zeroId.slice(text.length);
  return { from: text + rest, to: text + rest.replaceAll('0', 'f') };
}

/** Live users of the team whose user id or reference starts with the text; newest first, at most 100. */
export async function searchUsers({ orm }: Executor, teamId: string, prefix: string): Promise<readonly User[]> {
  const range = idRange(prefix);
  const pattern = `${prefix.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const isFound = or(like(users.clientUserId, pattern), range ? between(users.userId, range.from, range.to) : undefined);
  const rows = await run(
    orm
      .select()
      .from(users)
      .where(and(eq(users.teamId, teamId), isNull(users.deletedAt), isFound))
      .orderBy(desc(users.createdAt), desc(users.userId))
      .limit(usersMax),
  );
  return rows.map(toUser);
}
