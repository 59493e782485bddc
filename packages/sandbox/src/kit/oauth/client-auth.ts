import { RefusalError } from '../parts/refusal.ts';
import type { SimulatorApplication } from '../types.ts';

/** The application behind `Authorization: Basic`; undefined for none or a wrong secret. */
export function basicClient(
  header: string | undefined,
  applications: ReadonlyMap<string, SimulatorApplication>,
): SimulatorApplication | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return checkClient(applications, decoded.slice(0, Math.max(colon, 0)), decoded.slice(colon + 1));
}

/** The application of an id and secret; undefined when they do not match. */
export function checkClient(
  applications: ReadonlyMap<string, SimulatorApplication>,
  clientId: string,
  clientSecret: string,
): SimulatorApplication | undefined {
  const application = applications.get(clientId);
  return application?.clientSecret === clientSecret ? application : undefined;
}

/** The application that calls an OAuth endpoint, authenticated as the provider requires. Throws `client_invalid`. */
export function readClient(
  way: 'basic' | 'body' | 'query',
  header: string | undefined,
  form: URLSearchParams,
  applications: ReadonlyMap<string, SimulatorApplication>,
): SimulatorApplication {
  const found =
    way === 'basic'
      ? basicClient(header, applications)
      : checkClient(applications, form.get('client_id') ?? '', form.get('client_secret') ?? '');
  if (!found) throw new RefusalError('client_invalid', 'The application is not known, or its secret is wrong');
  return found;
}
