import { AppError } from '@pulsewire/kernel';

/** Serializes credentials for providers without refresh tokens; stored encrypted. */
export function writeRenewal(fields: Readonly<Record<string, string>>): string {
  return JSON.stringify(fields);
}

/** Parses the output of `writeRenewal`. Throws AppError `renewal_unreadable` for anything else, such as an imported token. */
export function readRenewal<Name extends string>(renewal: string, names: readonly Name[]): Readonly<Record<Name, string>> {
  const fields = parse(renewal);
  const entries = names.map((name) => [name, fields[name]] as const);
  if (entries.every(([, value]) => typeof value === 'string')) return Object.fromEntries(entries) as Record<Name, string>;
  throw new AppError({ code: 'renewal_unreadable', kind: 'bug', message: 'The stored login credentials cannot be parsed' });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
