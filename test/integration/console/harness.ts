import { randomBytes } from 'node:crypto';
import { createLinkSession, createTeam, createUser, type LinkContext, type NewLinkSession } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import { createManualClock, noMetrics, systemClock, type Clock, type Logger } from '@pulsewire/kernel';
import { createFitbit, type Connector } from '@pulsewire/providers';
import { createFitbitSimulator, demoAccounts } from '@pulsewire/sandbox';
import { compose } from '@pulsewire/service-api';
import { linkPageRoutes } from '@pulsewire/service-console';
import { freePorts } from '../../support/free-ports.ts';
import { apiConfig, idleIngest } from '../api/support/harness.ts';
import { createFakeLogins, type FakeLogins } from '../connections/fake-logins.ts';

const application = { clientId: 'PULSE1', clientSecret: 'application-secret' };
const regions = {
  name: 'region',
  label: 'Where you live',
  kind: 'choice',
  choices: [
    { value: 'us', label: 'United States' },
    { value: 'eu', label: 'Europe' },
  ],
  isRequired: false,
  hint: 'As in the settings of the Strap app.',
} as const;

/** Strap with a choice of regions, Clinic, and enough further bands for the list to be searchable. */
function connectorsOf(fitbit: Connector, logins: FakeLogins): readonly Connector[] {
  const more = ['Aria', 'Brisk', 'Comet', 'Drift'].map((name, index) => ({
    ...fitbit,
    slug: name.toLowerCase(),
    name: `${name} Band`,
    description: 'Steps and sleep from a band that nobody has ever worn',
    sourceId: 8000 + index,
    push: null,
  }));
  const described = logins.connectors.map((connector) => ({
    ...connector,
    description: connector.email ? 'Glucose readings through your practice' : 'Heart rate and strain, with a user name and a password',
    ...(connector.password && { password: { ...connector.password, form: [...connector.password.form, regions] } }),
  }));
  return [fitbit, ...described, ...more];
}

export interface PageHarness {
  readonly url: string;
  readonly logins: FakeLogins;
  readonly clock: Clock & { advance(ms: number): void };
  readonly context: LinkContext;
  /** A link token of a new user, and the address of its page. */
  newLink(session?: Partial<NewLinkSession>): Promise<{ readonly token: string; readonly href: string; readonly teamId: string }>;
  /** Name of an account at the simulated Fitbit. */
  readonly account: string;
  /** One request to the page's own routes, below `/link`; a body is sent as a form. */
  request(
    path: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }>;
  close(): Promise<void>;
}

/** The API with the link page, as `npm start` runs them, with the Fitbit simulator and two fictional providers. */
export async function createPageHarness(
  database: Database,
  options: { readonly logger?: Logger; readonly isSandbox?: boolean } = {},
): Promise<PageHarness> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const clock = createManualClock(systemClock.now());
  const redirectUris = [`${url}/v2/link/connect/fitbit`];
  const people = demoAccounts(2);
  const simulator = await createFitbitSimulator({ applications: [{ ...application, redirectUris }], accounts: people });
  const logins = createFakeLogins();
  const connectors = connectorsOf(createFitbit(simulator.endpoints), logins);
  let context: LinkContext | undefined;
  const api = await compose(
    { ...apiConfig, port, baseUrl: undefined },
    {
      database,
      clock,
      ...(options.logger && { logger: options.logger }),
      metrics: noMetrics,
      ingest: idleIngest,
      providers: {
        connectors,
        connectorFor: (slug) => connectors.find((connector) => connector.slug === slug),
        platformApplication: () => application,
        pushVerificationCode: () => null,
        isEnabled: () => true,
        withoutAddress: [],
      },
      async mount(app, parts) {
        context = parts.links;
        await linkPageRoutes(app, parts);
      },
    },
  );
  await api.listen();
  if (!context) throw new Error('The API mounted nothing');
  const links = context;
  const team = await createTeam(database, clock, { name: 'Team', isSandbox: options.isSandbox ?? false });
  return {
    url,
    logins,
    clock,
    context: links,
    account: people[0]?.name ?? '',
    async newLink(session = {}) {
      const user = await createUser(database, team, { clientUserId: randomBytes(8).toString('hex') }, { clock, sandboxUsersMax: 50 });
      const open = { userId: user.userId, provider: null, redirectUrl: null, filterOnProviders: null, onError: null, onClose: null };
      const { linkToken, linkWebUrl } = await createLinkSession(links, team.teamId, { ...open, ...session });
      return { token: linkToken, href: linkWebUrl, teamId: team.teamId };
    },
    async request(path, form) {
      const response = await fetch(`${url}/link${path}`, {
        redirect: 'manual',
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
    async close() {
      await api.close();
      await simulator.close();
    },
  };
}
