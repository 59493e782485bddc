import { eventFamilies, exampleBody, schemaExamples } from '@pulsewire/contract';

const schemaType = (name: string) => `components['schemas'][${JSON.stringify(name)}]`;

/** A program of a team that uses the generated types: every example has its type, and an event is narrowed by its type. */
export function consumerText(): string {
  const examples = [...schemaExamples(), ...eventFamilies.map((family) => [family.name, exampleBody(family)] as const)];
  const constants = examples.map(
    ([name, example], index) => `export const example${index}: ${schemaType(name)} = ${JSON.stringify(example)};`,
  );
  return `import type { components, paths } from './client.js';

${constants.join('\n')}

export function firstHeartrate(event: ${schemaType('WebhookPayload')}): number | undefined {
  if (event.event_type !== 'daily.data.heartrate.created') return undefined;
  return event.data.data[0]?.value;
}

type Nights = paths['/v2/summary/sleep/{user_id}']['get']['responses'][200]['content']['application/json'];
export const minutesAsleep = (nights: Nights): number[] => nights.sleep.map(({ total }) => total / 60);
`;
}

/** A program with one mistake: a sample without its unit. */
export const mistakenText = `import type { components } from './client.js';
type Sample = ${schemaType('HeartrateSample')};
export const sample: Sample = { timestamp: '2026-01-04T10:00:00+00:00', timezone_offset: 0, type: null, value: 61 };
`;
