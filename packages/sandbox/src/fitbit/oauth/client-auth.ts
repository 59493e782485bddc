import { FitbitError } from '../errors.ts';
import type { ApplicationSpec } from '../types.ts';

/** The application behind `Authorization: Basic`. Throws 401 `invalid_client`. */
export function authenticateClient(header: string | undefined, applications: ReadonlyMap<string, ApplicationSpec>): ApplicationSpec {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  const application = applications.get(decoded.slice(0, Math.max(colon, 0)));
  if (!application || application.clientSecret !== decoded.slice(colon + 1)) {
    throw new FitbitError(401, 'invalid_client', 'Invalid authorization header', { 'WWW-Authenticate': 'Basic realm="api.fitbit.com"' });
  }
  return application;
}

/** The token of `Authorization: Bearer`. Throws 401 `invalid_token`. */
export function bearerToken(header: string | undefined): string {
  const token = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new FitbitError(401, 'invalid_token', 'Access token missing');
  return token;
}
