import type { RawResource } from '@pulsewire/contract';
import type { RawEntry } from '@pulsewire/store';
import type { ApiContext } from '../context/context.ts';
import { refOf } from './provider.ts';
import { sourceIdOf } from './source-id.ts';

/** A raw form without the fields that only some resources have. */
export function rawFields(context: ApiContext, userId: string, { id, provider, data }: Pick<RawEntry, 'id' | 'provider' | 'data'>) {
  return { id, user_id: userId, data, source_id: sourceIdOf(context)(provider), source: refOf(context, provider) };
}

/** Pages of raw forms as JSON texts. */
export async function* rawTexts(
  context: ApiContext,
  { resource, userId }: { readonly resource: RawResource; readonly userId: string },
  pages: AsyncIterable<readonly RawEntry[]>,
): AsyncGenerator<readonly string[]> {
  for await (const page of pages) {
    yield page.map((entry) =>
      JSON.stringify({
        ...rawFields(context, userId, entry),
        timestamp: entry.timestamp,
        provider_id: entry.externalId,
        priority_id: 0,
        source_device_id: entry.deviceId,
        created_at: entry.createdAt,
        updated_at: entry.updatedAt,
        ...ofResource(resource, entry),
      }),
    );
  }
}

function ofResource(resource: RawResource, { sport }: RawEntry): Readonly<Record<string, unknown>> {
  if (resource === 'workouts') return { sport_id: (sport as { readonly id?: number } | null)?.id ?? 0, sport };
  return resource === 'activity' ? {} : { priority: null };
}
