/** Ids of the people and objects in the golden samples; all are fictional. */
export const exampleIds = {
  team: '019b8f00-0000-7000-8000-0000000000aa',
  user: '019b8f00-0000-7000-8000-000000000001',
  clientUser: 'runner-42',
  summary: '5b0f6b5e-4b0e-5d2c-9a67-3f1f0c9d2a10',
  sleep: '5b0f6b5e-4b0e-5d2c-9a67-3f1f0c9d2a11',
  device: '019b8f00-0000-7000-8000-00000000de01',
} as const;

export const exampleDay = '2026-01-04';

/** Milliseconds since the epoch of a time of day on the example's day. */
export function at(time: string): number {
  return Date.parse(`${exampleDay}T${time}:00Z`);
}
