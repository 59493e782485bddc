import { uuidv5 } from '@pulsewire/kernel';

const namespace = '8c0a2f5e-7f4a-5a1b-9a50-6c3a51f2c1d4';

/** A UUID derived from the text. */
export function uuidOf(text: string): string {
  return uuidv5(namespace, text);
}
