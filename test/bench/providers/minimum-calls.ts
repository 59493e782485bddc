import type { Connector } from '@pulsewire/providers';

const hoursPerDay = 24;

interface Reading {
  /** Calls that read what one sync of the device has brought, in the interface of the provider. */
  readonly calls: number;
  readonly why: string;
}

/** Providers of whose pulls one call is not enough: their interface has no call for everything that is new. */
const readings: Readonly<Record<string, Reading>> = {
  freestyle_libre: { calls: 5, why: 'settings, the request for a report, its channel, its state and its page' },
  hammerhead: { calls: 2, why: 'the list without dates, and the file of a ride' },
  my_fitness_pal_v2: {
    calls: 17,
    why: 'a notice of exercise or weight names no day: the diary and the weight of eight days, and the profile',
  },
  tandem_source: { calls: 2, why: 'the pumps, and the log of the present one' },
  ultrahuman: { calls: 2, why: 'one day a call: the running day, and the one before, to which the night belongs' },
  whoop: { calls: 6, why: 'the cycles for each of two pulls, the stages of a night, and heart rate and steps of the running cycle' },
};

/** Calls a user and day for a device that syncs once an hour: one of each pull a sync, or what the interface needs instead. */
export function minimumCalls({ slug, pulls }: Connector): number {
  const livePulls = pulls.filter(({ lanes }) => lanes?.includes('live') ?? true);
  return (readings[slug]?.calls ?? livePulls.length) * hoursPerDay;
}
