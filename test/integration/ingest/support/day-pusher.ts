import type { Connector, PushNotice } from '@pulsewire/providers';
import { stepsOf, withPush } from './push-harness.ts';
import type { Harness } from './harness.ts';

interface Day {
  readonly user: string;
  readonly day: string;
  readonly noise: string;
}

/** Bytes of a body that are read at once: two days of 80,000 bytes fill a part. */
export const dayPartBytes = 250_000;

/** A provider that pushes lists of days. `onMap` is called with each day when its data is stored. */
export function dayPusher(harness: Pick<Harness, 'wristband'>, onMap: (day: string) => void): Connector {
  return withPush(harness, {
    bodyBytesMax: 8_000_000,
    inParts: { together: {} },
    parse: ({ body }) => {
      const rows = (JSON.parse(body.toString()) as { readonly days?: readonly Day[] }).days ?? [];
      const notices = rows.map(({ user, ...payload }): PushNotice => ({ kind: 'data', providerUserId: user, collection: 'days', payload }));
      return { notices, unreadable: [] };
    },
    map({ payload }) {
      const { day } = payload as Day;
      onMap(day);
      return { records: [stepsOf(day, Number(day.slice(-2)))], quarantined: [] };
    },
  });
}
