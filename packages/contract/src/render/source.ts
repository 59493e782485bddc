import type { SourceRef } from '../records.ts';
import type { SourceContext } from '../source-context.ts';

/** The source as it goes on the wire (contract 7.3): every key, and none of those that interface 9.3 removed. */
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
