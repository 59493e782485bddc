import { randomBytes } from 'node:crypto';
import { noMetrics, silentLogger, systemClock, type Logger } from '@pulsewire/kernel';
import { createApiKey, createTeam, putOAuthCredential, readProviderSettings, updateTeam } from '@pulsewire/connections';
import { createCipher, type Database } from '@pulsewire/database';
import { pushSegmentOf } from '@pulsewire/ingest';
import { connectors } from '@pulsewire/providers';
import { compose } from '@pulsewire/service-api';
import { linkPageRoutes } from '@pulsewire/service-console';
import { createFakeProvider } from '../integration/connections/fake-provider.ts';
import { apiConfig } from '../integration/api/support/harness.ts';

/** Input of the hooks. */
interface Subject {
  readonly key: string;
  readonly keyId: string;
  /** A user, with demo data if the team is a sandbox. */
  readonly userId: string;
  /** The signing secret of every application. */
  readonly secret: string;
  /** The part after the slug in the addresses of unsigned pushes. */
  readonly segments: Readonly<Record<string, string>>;
}

export interface RunningSubject {
  readonly url: string;
  readonly subject: Subject;
  /** Server failures so far, each with its cause. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

const clientSecret = 'a secret of the platform';
const verificationCode = 'a code';
// One for all seeds: they share a database, in which its keys are recorded.
const cipher = createCipher(new Map([[1, randomBytes(32)]]));

const providers = readProviderSettings(
  connectors,
  Object.fromEntries(
    connectors.flatMap(({ slug }) => [
      [`provider_${slug}_clientId`, `id-${slug}`],
      [`provider_${slug}_clientSecret`, clientSecret],
      [`provider_${slug}_pushVerificationCode`, verificationCode],
      [`provider_${slug}_enabled`, true],
    ]),
  ),
);

/** The API with the link page, real intake of pushes and a separate team. Providers are in memory: no request leaves the machine. */
export async function startSubject(database: Database, seed: string): Promise<RunningSubject> {
  const failures: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (fields, event) => {
      const { error, ...more } = fields as { readonly error?: unknown };
      failures.push(`${event} ${JSON.stringify(more)} ${error instanceof Error ? error.stack : String(error)}`);
    },
    child: () => logger,
  };
  const api = await compose(
    { ...apiConfig, samplesPerPage: 100, sandboxUsersMax: 1_000_000 },
    {
      database,
      clock: systemClock,
      cipher,
      logger,
      metrics: noMetrics,
      providers,
      http: createFakeProvider(),
      mount: (app, { links }) => linkPageRoutes(app, { links }),
    },
  );
  const { url } = await api.listen();
  const team = await createTeam(database, systemClock, { name: `Seed ${seed}`, isSandbox: Number(seed) % 2 === 1 });
  await updateTeam(database, team.teamId, { bulkOperations: true });
  for (const { slug, oauth } of connectors) {
    const application = { clientId: `own-${slug}`, clientSecret, redirectUrlOverride: null };
    if (oauth !== null)
      await putOAuthCredential(database, { cipher, clock: systemClock }, { teamId: team.teamId, provider: slug, ...application });
  }
  const { key, apiKey } = await createApiKey(database, systemClock, { team, label: 'schemathesis' });
  const ask = async (path: string, body: object) => {
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    return (await (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
      readonly user_id: string;
    };
  };
  const { user_id: userId } = await ask('/v2/user', { client_user_id: 'a user with data' });
  if (team.isSandbox) await ask('/v2/link/connect/demo', { user_id: userId, provider: 'fitbit' });
  const unsigned = connectors.filter(({ push }) => push !== null && !push.isSigned);
  const segments = Object.fromEntries(unsigned.map(({ slug }) => [slug, pushSegmentOf(verificationCode, slug, 'platform')]));
  return { url, subject: { key, keyId: apiKey.keyId, userId, secret: clientSecret, segments }, failures, close: () => api.close() };
}
