import { AppError } from '@pulsewire/kernel';

/** Credentials as one text, for providers that have no refresh token; custody keeps it encrypted. */
export function writeRenewal(fields: Readonly<Record<string, string>>): string {
  return JSON.stringify(fields);
}

/** What `writeRenewal` wrote. Throws AppError `renewal_unreadable` for anything else, such as an imported token. */
export function readRenewal<Name extends string>(renewal: string, names: readonly Name[]): Readonly<Record<Name, string>> {
  const fields = parse(renewal);
  const entries = names.map((name) => [name, fields[name]] as const);
  if (entries.every(([, value]) => typeof value === 'string')) return Object.fromEntries(entries) as Record<Name, string>;
  throw new AppError({ code: 'renewal_unreadable', kind: 'bug', message: 'What was kept for the next login cannot be read' });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
