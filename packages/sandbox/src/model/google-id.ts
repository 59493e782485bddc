import { hash32 } from './seeded.ts';

const digits = (text: string): string => String(hash32(text)).padStart(10, '0');

/** The id of a person's Google account, which OpenID Connect reports: 21 digits, always the same for the same name. */
export function googleIdOf(name: string): string {
  return `1${digits(`fit ${name}`)}${digits(`${name} fit`)}`;
}
