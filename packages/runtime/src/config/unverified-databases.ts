import { isLoopback, parsePostgresUrl } from '@pulsewire/kernel';
import type { TStringOptions } from 'typebox';
import type { ConfigFields, ConfigOf } from './fields.ts';

/** Whether this URL connects to another machine without verifying its certificate. */
function isUnverified(text: string): boolean {
  const parsed = parsePostgresUrl(text);
  if (parsed === null) return false;
  const isHere = parsed.hosts.every((host) => host.startsWith('/') || isLoopback(host));
  return !isHere && parsed.tls !== 'verify-full';
}

/** The variables that name a Postgres on another machine without `sslmode=verify-full`. */
export function unverifiedDatabases<F extends ConfigFields>(fields: F, config: ConfigOf<F>): string[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const value = config[key];
    const isPostgres = (field.schema as TStringOptions).format === 'postgres-url';
    return isPostgres && typeof value === 'string' && isUnverified(value) ? [field.env] : [];
  });
}

/** The warning for the operator, without the URL, which contains a password. */
export const unverifiedDatabaseAdvice =
  'Postgres is on another machine and its certificate is not verified: add sslmode=verify-full to the URL, and NODE_EXTRA_CA_CERTS for a private authority';
