import type { SourceRef } from '../records/records.ts';
import type { SourceContext } from '../fields/source-context.ts';

/** The source in wire form: every key, without the removed ones. */
export function renderSource(source: SourceRef): SourceContext {
  return {
    provider: source.provider,
    type: source.type,
    app_id: source.appId ?? null,
    device_id: source.deviceId ?? null,
    sport: source.sport ?? null,
    workout_id: source.workoutId ?? null,
  };
}
