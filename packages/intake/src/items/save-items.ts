import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { PhoneItemRef } from '@pulsewire/providers';
import type { PhoneOwner } from '../model/phone-owner.ts';

/** Records what the items of a batch became; of a repeated id the last one counts. One statement. */
export async function saveItems({ sql }: Tx, { teamId, userId, provider }: PhoneOwner, refs: readonly PhoneItemRef[]): Promise<void> {
  const items = [...new Map(refs.map((ref) => [ref.itemId, ref])).values()];
  if (items.length === 0) return;
  const column = (pick: (ref: PhoneItemRef) => string) => textArray(items.map((ref) => pick(ref).toWellFormed().replaceAll('\0', '')));
  await sql`
    INSERT INTO phone_items AS p (user_id, provider, item_id, team_id, resource, sub_kind, source_type, at, summary_id, parent_id)
    SELECT ${userId}::uuid, ${provider}, i.item_id, ${teamId}::uuid, i.resource, i.sub_kind, i.source_type, to_timestamp(i.at / 1000), nullif(i.summary_id, '')::uuid, nullif(i.parent_id, '')
    FROM unnest(${column((ref) => ref.itemId)}::text[], ${column((ref) => ref.resource)}::text[], ${column((ref) => ref.subKind)}::text[],
      ${column((ref) => ref.sourceType)}::text[], ${plainArray(items.map(({ atMs }) => atMs))}::float8[], ${column((ref) => ref.summaryId ?? '')}::text[],
      ${column((ref) => ref.parentId ?? '')}::text[]) AS i(item_id, resource, sub_kind, source_type, at, summary_id, parent_id)
    ON CONFLICT (user_id, provider, item_id) DO UPDATE SET resource = excluded.resource, sub_kind = excluded.sub_kind,
      source_type = excluded.source_type, at = excluded.at, summary_id = excluded.summary_id, parent_id = excluded.parent_id`;
}
