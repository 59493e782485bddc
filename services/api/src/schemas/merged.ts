import { dayMs } from '@pulsewire/kernel';
import { Type, type TObject } from 'typebox';
import { closedEnum, openEnum, summaryBody, Uuid } from '@pulsewire/contract';

/** Longest window of a merged read of summaries, which is assembled in memory before it is sent. */
export const mergedWindowMaxMs = 366 * dayMs;

/** Query field of reads that can merge sources. */
export const mergedField = {
  source: Type.Optional(
    closedEnum(['merged'], {
      description:
        'merged: one view of all sources, in the order of `prefer`, then in the order that the team has set for this resource, then by kind of source: lab, insulin_pump, automatic, fingerprick, manual_scan, cuff, scale, chest_strap, ring, watch, exercise_machine, earphone, phone, multiple_sources, app, others. Gaps are filled from the next source. Absent: every source by itself.',
    }),
  ),
  prefer: Type.Optional(
    Type.Array(Type.String({ pattern: String.raw`^\w{1,64}(/\w{1,64})?$` }), {
      maxItems: 50,
      description: 'With source=merged: providers, or provider/type as apple_health_kit/watch, the best first; repeat the parameter.',
    }),
  ),
};

const MergedFrom = Type.Object(
  {
    id: Uuid,
    parts: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid', description: 'The summary that the values are from.' }),
        provider: Type.String(),
        type: Type.String(),
        reason: openEnum(['only_source', 'highest_priority', 'fills_gap'], 'Why the values of this source are there.'),
        fields: Type.Array(Type.String(), { description: 'Fields that are from this source.' }),
      }),
    ),
  },
  { title: 'MergedFrom' },
);

/** Response of the read of a summary, with the sources of a merged one. */
export function mergeableBody(resource: string): TObject {
  const merged = Type.Optional(Type.Array(MergedFrom, { description: 'With source=merged: where the values of each summary are from.' }));
  return Type.Object({ ...summaryBody(resource).properties, merged });
}
