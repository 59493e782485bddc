import { createAccountBook, digitsOf, type SimAccount } from './accounts/accounts.ts';
import { createGrantBook } from './accounts/grants.ts';
import type { Trouble, Troubles, SimulatorDefinition, SimulatorParts } from './definition/definition.ts';
import { readState, writeState } from './definition/state.ts';
import { asRecorded, recordedResponses } from './http/as-recorded.ts';
import { withBrokenItem } from './http/malformed.ts';
import { createFaults } from './parts/faults.ts';
import { createStatistics } from './parts/statistics.ts';
import { createPerson, type AccountPerson, type Person, type PersonSnapshot } from './person/person.ts';
import type { Change } from './person/types.ts';
import { createPushControl } from './push-control.ts';
import { createPushSender, type PushMessage } from './push/sender.ts';
import { createSimulatorServer } from './server.ts';
import type { ProviderSimulator, RequestRecord, SimulatedAccount, SimulatorEndpoints, SimulatorEntry, SimulatorOptions } from './types.ts';
import { createSimulatorClock } from '../model/simulator-clock.ts';
import { httpAddress } from '../net/http-address.ts';

/** What is documented to go wrong for as long as it lasts, unlike faults, which strike single calls. One at a time. */
function createTroubles(known: Readonly<Record<string, Trouble>> = {}): Troubles {
  let current: Trouble | null = null;
  return {
    begin(name) {
      const trouble = Object.hasOwn(known, name) ? known[name] : undefined;
      if (!trouble) throw new RangeError(`No trouble is called ${name}`);
      current = trouble;
    },
    end() {
      current = null;
    },
    responseTo: (kind, call) => current?.(kind, call) ?? null,
  };
}

const requestsMax = 2000;
const day = 86_400;

type AnyAccount = SimAccount<AccountPerson>;

function endpointsOf({ apiPath = '', oauth, regionPaths }: SimulatorDefinition<AccountPerson>, url: string): SimulatorEndpoints {
  return {
    apiBaseUrl: `${url}${apiPath}`,
    ...(oauth && { authorizeUrl: `${url}${oauth.authorizePath}`, tokenUrl: `${url}${oauth.tokenPath}` }),
    ...(oauth?.revokePath !== undefined && { revokeUrl: `${url}${oauth.revokePath}` }),
    ...(regionPaths && { regionUrls: Object.fromEntries(Object.entries(regionPaths).map(([region, path]) => [region, `${url}${path}`])) }),
  };
}

/** Starts the simulator of a definition. */
export async function createSimulator<P extends AccountPerson = Person>(
  definition: SimulatorDefinition<P>,
  options: SimulatorOptions,
): Promise<ProviderSimulator> {
  return (await openSimulator(definition, options)).simulator;
}

/** The same, with access to its parts: for a simulator with controls of its own. */
export async function openSimulator<P extends AccountPerson = Person>(
  specific: SimulatorDefinition<P>,
  options: SimulatorOptions,
): Promise<{ readonly simulator: ProviderSimulator; readonly parts: SimulatorParts<P> }> {
  const definition: SimulatorDefinition<AccountPerson> = specific;
  const clock = createSimulatorClock({ ...(options.clock && { clock: options.clock }), speed: options.speed ?? 1 });
  const host = options.host ?? '127.0.0.1';
  const closing = new AbortController();
  const state = options.stateFile === undefined ? undefined : readState(options.stateFile, (kept) => definition.readOldState?.(kept));
  const { oauth, push, capabilities } = definition;
  const applications = new Map(options.applications.map((application) => [application.clientId, application]));
  const requests: RequestRecord[] = [];
  let url = '';

  const accounts = createAccountBook({
    snapshot: state?.accounts ?? [],
    regions: capabilities.regions ?? [],
    providerUserId: definition.providerUserId ?? digitsOf,
    createPerson: (spec, snapshot) =>
      definition.createPerson?.(spec, clock, snapshot) ?? createPerson(spec, clock, snapshot as PersonSnapshot | undefined),
  });
  const grants = createGrantBook({
    clock,
    accessTokenSeconds: oauth ? oauth.accessTokenSeconds : day,
    refresh: oauth?.refresh ?? 'rotates',
    graceSeconds: oauth?.graceSeconds ?? 0,
    snapshot: state?.grants,
  });
  const statistics = createStatistics();
  const recorded = recordedResponses(definition);
  const troubles = createTroubles({ ...definition.troubles, ...(recorded && { [asRecorded]: recorded }) });
  const faults = createFaults(options.seed ?? 'pulsewire');
  const sender = createPushSender({
    closing: closing.signal,
    deadlineMs: push?.deadlineMs ?? 10_000,
    retryDelaysMs: (push?.retryDelaysMs ?? [1000, 1000]).map((delayMs) => options.pushRetryMs ?? delayMs),
    batch: push?.batch,
    failuresMax: push?.failuresMax ?? Infinity,
    statistics,
    targets: state?.targets ?? [],
    isAccepted: push?.isAccepted ?? ((status) => status >= 200 && status < 300),
    sign: (body, target) => {
      const application = applications.get(target.clientId);
      return application && push?.sign ? push.sign(body, { application, target, now: new Date(clock.wallMs()) }) : {};
    },
  });
  const memory = new Map<string, unknown>(state?.memory);
  const linkedTargets = (account: AnyAccount) => {
    const clients = new Set(grants.of(account.providerUserId).map((grant) => grant.clientId));
    return sender.targets().filter((target) => clients.has(target.clientId));
  };
  const failedCalls = (message: PushMessage): PushMessage => {
    const { body } = message;
    if (push?.carriesData !== true || typeof body !== 'object' || body === null) return message;
    return faults.strikes('malformed_item', 'push') ? { ...message, body: (definition.breakItem ?? withBrokenItem)(body) } : message;
  };
  /** A push has the recorded body, whatever changed, where there is one. */
  const recordedPush = (message: PushMessage, account: AnyAccount): PushMessage => {
    const found = troubles.responseTo('push', { headers: {}, json: message.body, account, parts: { url: () => url } });
    return found === null ? message : { ...message, body: found.body };
  };
  const sendToLinked = (account: AnyAccount, changes: readonly PushMessage[]) => {
    for (const message of changes.map((change) => recordedPush(change, account)))
      for (const target of linkedTargets(account))
        if (message.topic === undefined || (push?.concerns?.(target, message, account) ?? true)) sender.send(target, failedCalls(message));
  };
  const parts: SimulatorParts<AccountPerson> = {
    clock,
    applications,
    accounts,
    grants,
    faults,
    troubles,
    pushes: sender,
    memory,
    statistics,
    closing: closing.signal,
    url: () => url,
    announce(account, changes) {
      for (const change of changes) sendToLinked(account, push?.messages(change, account, parts) ?? []);
    },
    save() {
      if (options.stateFile === undefined) return;
      const kept = { accounts: accounts.snapshot(), grants: grants.snapshot(), targets: sender.snapshot(), memory: [...memory] };
      writeState(options.stateFile, { format: 1, ...kept });
    },
  };
  const server = createSimulatorServer(definition, parts, (record) => {
    statistics.request(record.kind, record.status);
    requests.push(record);
    if (requests.length > requestsMax) requests.shift();
  });
  await server.listen({ port: options.port ?? 0, host });
  const address = server.server.address();
  url = httpAddress(host, typeof address === 'object' && address ? address.port : 0);

  function announced(account: AnyAccount, changes: readonly Change[]): readonly Change[] {
    parts.save();
    parts.announce(account, changes);
    return changes;
  }
  const toHandle = (account: AnyAccount): SimulatedAccount => ({
    name: account.name,
    providerUserId: account.providerUserId,
    timeZone: account.person.zone.name,
    email: account.email,
    credentials: {
      username: account.username,
      password: account.password,
      region: account.region,
      mfaCode: account.wantsMfa ? account.mfaCode : null,
    },
    truth: capabilities.truth ? account.person.truth : null,
    makeNewData: () => announced(account, account.person.sync()),
    revise: () => announced(account, account.person.revise()),
    remove: (kind) => announced(account, account.person.remove(kind)),
    deleteSilently(kind) {
      const changes = account.person.remove(kind);
      parts.save();
      return changes;
    },
    deleteMornings() {
      const stretches = account.person.removeMornings();
      parts.save();
      return stretches;
    },
    revoke() {
      // Announced first: without the consent its targets are unknown.
      sendToLinked(account, push?.revocation?.(account, parts) ?? []);
      for (const grant of grants.end(account.providerUserId)) definition.onConsentEnded?.(grant, parts);
      parts.save();
    },
    permit(scopes) {
      grants.rescope(account.providerUserId, scopes);
      parts.save();
      sendToLinked(account, push?.permissions?.(account, scopes, parts) ?? []);
    },
    expireTokens: () => grants.expire({ providerUserId: account.providerUserId }),
    consents: () => grants.of(account.providerUserId).length,
  });

  const simulator: ProviderSimulator = {
    slug: definition.slug,
    url,
    endpoints: endpointsOf(definition, url),
    settings: definition.settings ?? {},
    capabilities,
    get accounts() {
      return accounts.list().map(toHandle);
    },
    addAccount: (spec) => toHandle(accounts.add(spec)),
    faults,
    troubles,
    requests,
    statistics: () => statistics.read(),
    pushes: push ? createPushControl(definition, push, parts, applications) : null,
    async close() {
      closing.abort();
      await sender.settled();
      await server.close();
    },
  };
  return { simulator, parts: parts as SimulatorParts<P> };
}

/** A simulator's line in `all.ts`. */
export function entryOf<P extends AccountPerson>(definition: SimulatorDefinition<P>): SimulatorEntry {
  return { slug: definition.slug, start: (options) => createSimulator(definition, options) };
}
