import { uuidv5 } from '@pulsewire/kernel';

const namespace = '7f9c24e8-3b12-4f2f-8f9b-0c1d2e3f4a5b';

export const usersCount = 25;

/** The same person has the same id in every process of a campaign. */
export function userIdOf(person: number): string {
  return uuidv5(namespace, `person-${person}`);
}

export function summaryIdOf(person: number, day: number): string {
  return uuidv5(namespace, `summary-${person}-${day}`);
}
