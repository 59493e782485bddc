import { httpAddress } from '../http-address.ts';
import { createSimulatorClock } from '../simulator-clock.ts';
import { createAccountBook, digitsOf, type SimAccount } from './accounts.ts';
import type { SimulatorDefinition, SimulatorParts } from './definition.ts';
import { createFaults } from './faults.ts';
import { withBrokenItem } from './http/malformed.ts';
import { createGrantBook } from './oauth/grants.ts';
import type { Change } from './person/types.ts';
import { createPushControl } from './push/control.ts';
import { createPushSender, type PushMessage } from './push/sender.ts';
import { createSimulatorServer } from './server.ts';
import { readState, writeState } from './state.ts';
import type { ProviderSimulator, RequestRecord, SimulatedAccount, SimulatorEndpoints, SimulatorOptions } from './types.ts';

const requestsMax = 2000;
const day = 86_400;

function endpointsOf({ apiPath = '', oauth, regionPaths }: SimulatorDefinition, url: string): SimulatorEndpoints {
  return {
    apiBaseUrl: `${url}${apiPath}`,
    ...(oauth && { authorizeUrl: `${url}${oauth.authorizePath}`, tokenUrl: `${url}${oauth.tokenPath}` }),
    ...(oauth?.revokePath !== undefined && { revokeUrl: `${url}${oauth.revokePath}` }),
    ...(regionPaths && { regionUrls: Object.fromEntries(Object.entries(regionPaths).map(([region, path]) => [region, `${url}${path}`])) }),
  };
}

/** A listening simulator of a provider: everything that its definition does not say is the same for all of them. */
export async function createSimulator(definition: SimulatorDefinition, options: SimulatorOptions): Promise<ProviderSimulator> {
  const clock = createSimulatorClock({ ...(options.clock && { clock: options.clock }), speed: options.speed ?? 1 });
  const host = options.host ?? '127.0.0.1';
  const closing = new AbortController();
  const state = options.stateFile === undefined ? undefined : readState(options.stateFile);
  const { oauth, push, capabilities } = definition;
  const applications = new Map(options.applications.map((application) => [application.clientId, application]));
  const requests: RequestRecord[] = [];
  let url = '';

  const accounts = createAccountBook({
    clock,
    snapshot: state?.accounts ?? [],
    regions: capabilities.regions ?? [],
    providerUserId: definition.providerUserId ?? digitsOf,
  });
  const grants = createGrantBook({
    clock,
    accessTokenSeconds: oauth ? oauth.accessTokenSeconds : day,
    refresh: oauth?.refresh ?? 'rotates',
    graceSeconds: oauth?.graceSeconds ?? 0,
    snapshot: state?.grants,
  });
  const faults = createFaults(options.seed ?? 'pulsewire');
  const sender = createPushSender({
    closing: closing.signal,
    retryMs: options.pushRetryMs ?? 1000,
    targets: state?.targets ?? [],
    isAccepted: push?.isAccepted ?? ((status) => status >= 200 && status < 300),
    sign: (body, target) => {
      const application = applications.get(target.clientId);
      return application && push?.sign ? push.sign(body, { application, target, now: new Date(clock.wallMs()) }) : {};
    },
  });
  const memory = new Map<string, unknown>(state?.memory);
  const concerns = (account: SimAccount) => {
    const clients = new Set(grants.of(account.providerUserId).map((grant) => grant.clientId));
    return sender.targets().filter((target) => clients.has(target.clientId));
  };
  const struck = (message: PushMessage): PushMessage => {
    const { body } = message;
    if (push?.carriesData !== true || typeof body !== 'object' || body === null) return message;
    return faults.strikes('malformed_item', 'push') ? { ...message, body: (definition.breakItem ?? withBrokenItem)(body) } : message;
  };
  const parts: SimulatorParts = {
    clock,
    applications,
    accounts,
    grants,
    faults,
    pushes: sender,
    memory,
    url: () => url,
    announce(account, changes) {
      for (const change of changes) {
        const messages = push?.messages(change, account, parts) ?? [];
        for (const message of messages)
          for (const target of concerns(account))
            if (push?.concerns?.(target, message, account) ?? true) sender.send(target, struck(message));
      }
    },
    save() {
      if (options.stateFile === undefined) return;
      const kept = { accounts: accounts.snapshot(), grants: grants.snapshot(), targets: sender.snapshot(), memory: [...memory] };
      writeState(options.stateFile, { format: 1, ...kept });
    },
  };
  const server = createSimulatorServer(definition, parts, (record) => {
    requests.push(record);
    if (requests.length > requestsMax) requests.shift();
  });
  await server.listen({ port: options.port ?? 0, host });
  const address = server.server.address();
  url = httpAddress(host, typeof address === 'object' && address ? address.port : 0);

  function announced(account: SimAccount, changes: readonly Change[]): readonly Change[] {
    parts.save();
    parts.announce(account, changes);
    return changes;
  }
  const toHandle = (account: SimAccount): SimulatedAccount => ({
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
    truth: capabilities.truth ? account.person : null,
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
      // Told before the consent ends: afterwards nobody knows whom to tell.
      const messages = push?.revocation?.(account, parts) ?? [];
      for (const target of concerns(account)) for (const message of messages) sender.send(target, message);
      grants.end(account.providerUserId);
      parts.save();
    },
    expireTokens: () => grants.expire({ providerUserId: account.providerUserId }),
    consents: () => grants.of(account.providerUserId).length,
  });

  return {
    slug: definition.slug,
    url,
    endpoints: endpointsOf(definition, url),
    capabilities,
    get accounts() {
      return accounts.list().map(toHandle);
    },
    addAccount: (spec) => toHandle(accounts.add(spec)),
    faults,
    requests,
    pushes: push ? createPushControl(definition, push, parts, applications) : null,
    async close() {
      closing.abort();
      await sender.settled();
      await server.close();
    },
  };
}
