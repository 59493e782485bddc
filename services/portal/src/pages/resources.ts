import { resources } from '@pulsewire/contract';
import { choose } from './parts.ts';

const choices = resources
  .map(({ name }) => ({ value: name, text: name.replaceAll('_', ' ') }))
  .toSorted((a, b) => a.text.localeCompare(b.text, 'en'));

export function resourceSelect(chosen: string) {
  return choose('resource', 'Resource', chosen, choices);
}
