import type { PushSpec, SimulatorDefinition, SimulatorParts } from './definition/definition.ts';
import type { AccountPerson } from './person/person.ts';
import type { Change } from './person/types.ts';
import type { SimulatedPushes, SimulatorApplication } from './types.ts';
import type { PushTarget } from './push/sender.ts';

const kinds: readonly Change['kind'][] = ['activity', 'sleep', 'workout', 'body', 'glucose', 'blood_pressure', 'meal'];
const unknownUserId = '999999999';

/** The same address with a wrong last path segment. */
function withWrongPath(url: string): string {
  const wrong = new URL(url);
  wrong.pathname = wrong.pathname.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  return wrong.toString();
}

/** Control of a simulator's pushes, for tests and the demo. */
export function createPushControl(
  definition: SimulatorDefinition<AccountPerson>,
  push: PushSpec<AccountPerson>,
  parts: SimulatorParts<AccountPerson>,
  applications: ReadonlyMap<string, SimulatorApplication>,
): SimulatedPushes {
  const sender = parts.pushes;
  const last = () => sender.log.at(-1);
  const targetOf = (url: string) => sender.targets().find((target) => target.callbackUrl === url);

  function signed(body: string, target: PushTarget): Record<string, string> {
    const application = applications.get(target.clientId);
    return application && push.sign ? push.sign(body, { application, target, now: new Date(parts.clock.wallMs()) }) : {};
  }

  return {
    log: sender.log,
    settled: () => sender.settled(),
    async registerPush(clientId, { callbackUrl, verificationCode }) {
      const target: PushTarget = { clientId, callbackUrl, verificationCode, details: {} };
      if (push.handshake && !(await push.handshake(target, parts))) return false;
      sender.remove((known) => known.clientId === clientId);
      sender.add(target);
      parts.save();
      return true;
    },
    async replay() {
      const record = last();
      return record && sender.sendOnce(record);
    },
    async forge() {
      const record = last();
      const target = record && targetOf(record.url);
      if (!record || !target) return undefined;
      if (!push.sign || definition.capabilities.push?.isSigned !== true)
        return sender.sendOnce({ ...record, url: withWrongPath(record.url) });
      const application = { ...applications.get(target.clientId), clientSecret: 'forged' } as SimulatorApplication;
      const forged = { ...target, details: Object.fromEntries(Object.keys(target.details).map((key) => [key, 'forged'])) };
      const headers = push.sign(record.body, { application, target: forged, now: new Date(parts.clock.wallMs()) });
      return sender.sendOnce({ ...record, headers: { ...record.headers, ...headers } });
    },
    async sendForUnknownUser() {
      const [target] = sender.targets();
      const [account] = parts.accounts.list();
      if (!target || !account) return undefined;
      const date = account.person.today();
      const startMs = account.person.zone.toInstant(date, 0);
      const changes = kinds.map((kind): Change => ({
        kind,
        action: 'created',
        date,
        id: '1',
        uuid: '00000000-0000-4000-8000-000000000001',
        startMs,
        endMs: startMs + 1,
      }));
      const [message] = changes.flatMap((change) => push.messages(change, { providerUserId: unknownUserId }, parts));
      if (!message) return undefined;
      const content = push.batch ? [message.body] : message.body;
      const body = typeof content === 'string' ? content : JSON.stringify(content);
      const headers = { 'content-type': message.contentType ?? 'application/json', ...message.headers, ...signed(body, target) };
      return sender.sendOnce({ url: target.callbackUrl, body, headers });
    },
  };
}
