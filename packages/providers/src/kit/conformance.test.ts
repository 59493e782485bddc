import { readdir, readFile } from 'node:fs/promises';
import { findResource } from '@pulsewire/contract';
import { describe, expect, it } from 'vitest';
import { all } from '../all.ts';
import { historyDaysMax } from './history-depth.ts';
import { connectors, findConnector } from '../registry.ts';
import { resourceAvailability, scopesOf } from './resource-availability.ts';
import type { Connector, RawPush } from './types/connector.ts';

const application = { clientId: 'client', clientSecret: 'secret' };
const proof = { application, subscriptionSecret: null, now: new Date('2026-03-20T12:00:00Z') };
const noQuery = { query: {}, headers: {} };

function repeated<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

interface GoldenFile {
  /** Of a mapper. */
  readonly records?: readonly { readonly resource: string }[];
  /** Of the conformance suite, by resource. */
  readonly summaries?: object;
  /** By resource, with its sub-kind after a space. */
  readonly samples?: object;
  readonly streams?: number;
}

interface Configuration {
  readonly slug: string;
  /** What the conformance suite stores of it is in `conformance-<name>`. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The golden files of what it does not read are called `<lacks>-…`. */
  readonly lacks: string;
}

/** The connectors that read less with other settings than the defaults. */
const configurations: readonly Configuration[] = [{ slug: 'my_fitness_pal', name: 'diary', settings: { clientId: '' }, lacks: 'account' }];

const configured = configurations.map(({ slug, name, settings }): readonly [string, Connector] => {
  const connector = findConnector(slug)?.configure?.(settings);
  if (!connector) throw new Error(`${slug} cannot be configured`);
  return [`${slug} (${name})`, connector];
});

/** The resources in the golden files of a connector: those of its mappers, and what the conformance suite stored. */
async function resourcesHeld(title: string, slug: string): Promise<string[]> {
  const folder = new URL(`../${slug}/fixtures/`, import.meta.url);
  const chosen = configurations.find((known) => title === `${slug} (${known.name})`);
  const isOthers = (file: string) => chosen !== undefined && (file.startsWith(`${chosen.lacks}-`) || file === 'conformance.expected.json');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.expected.json') && !isOthers(name));
  const files = await Promise.all(names.map(async (name) => JSON.parse(await readFile(new URL(name, folder), 'utf8')) as GoldenFile));
  const held = files.flatMap(({ records = [], summaries = {}, samples = {}, streams = 0 }) => [
    ...records.map(({ resource }) => resource),
    ...Object.keys(summaries),
    ...Object.keys(samples).map((key) => key.split(' ')[0] ?? key),
    ...(streams > 0 ? ['workout_stream'] : []),
  ]);
  return [...new Set(held)].toSorted();
}

/** Those requested by default, and those that an operator may ask for. */
const everyScopeOf = (connector: Connector): readonly string[] => [...scopesOf(connector), ...(connector.oauth?.optionalScopes ?? [])];

describe('the registry', () => {
  it('has unique slugs and source ids', () => {
    expect(connectors).toHaveLength(all.length);
    expect(repeated(connectors.map((connector) => connector.slug))).toEqual([]);
    expect(repeated(connectors.map((connector) => connector.sourceId))).toEqual([]);
  });

  it('finds each connector by its slug', () => {
    expect(connectors.filter((connector) => findConnector(connector.slug) !== connector)).toEqual([]);
  });
});

const subjects = [...connectors.map((connector) => [connector.slug, connector] as const), ...configured];

describe.each(subjects)('%s', (title, connector) => {
  const { slug } = connector;

  it('has a slug that is valid in a path and a file name', () => {
    expect(slug).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(connector.name).not.toBe('');
    expect(connector.description).not.toBe('');
    expect(connector.sourceId).toBeGreaterThan(0);
  });

  it('says in its description and its README where the form of the data is our own', async () => {
    const { ownFormat } = connector;
    if (ownFormat === undefined) return;
    expect(connector.description).toContain(ownFormat);
    expect(await readFile(new URL(`../${slug}/README.md`, import.meta.url), 'utf8')).toContain(ownFormat.replace(/\.$/, ''));
  });

  it('is reached over https only', () => {
    const { regionUrls = {}, linkDomain: _followedOverHttpsAlone, ...endpoints } = connector.endpoints;
    const urls = [...Object.values(endpoints), ...Object.values(regionUrls)].filter((url) => url !== null);
    expect(urls.map((url) => new URL(url).protocol).filter((protocol) => protocol !== 'https:')).toEqual([]);
  });

  it('supports exactly the link method of its auth type', () => {
    const { authType, oauth, password, email } = connector;
    const ways = Object.entries({ oauth, password, email }).flatMap(([way, support]) => (support === null ? [] : [way]));
    expect(ways).toEqual(authType === 'team_oauth' ? ['oauth'] : ['oauth', 'password', 'email'].includes(authType) ? [authType] : []);
    const { authorizeUrl, tokenUrl } = connector.endpoints;
    expect([authorizeUrl !== null, tokenUrl !== null]).toEqual([oauth !== null, oauth !== null]);
    for (const support of [password, email]) {
      const names = support?.form.map((field) => field.name) ?? [];
      expect({ hasRegions: support?.regions != null }).toEqual({ hasRegions: names.includes('region') });
    }
  });

  it('declares only health data resources of the contract', () => {
    const kinds = Object.keys(connector.resources).map((name) => [name, findResource(name)?.kind]);
    expect(kinds.filter(([, kind]) => kind === undefined || kind === 'family')).toEqual([]);
  });

  it('reports resources that it cannot read as unavailable, with the reason', () => {
    const { unavailableResources = {}, resources } = connector;
    const names = Object.keys(unavailableResources);
    expect(names.filter((name) => findResource(name) === undefined || Object.hasOwn(resources, name))).toEqual([]);
    expect(Object.values(unavailableResources).filter((reason) => !/^[A-Z].*\.$/.test(reason))).toEqual([]);
    const availability = resourceAvailability(connector, scopesOf(connector));
    expect(names.filter((name) => availability[name]?.status !== 'unavailable')).toEqual([]);
  });

  it('declares every resource that its golden files hold, and holds every one that it declares', async () => {
    const declared = Object.keys(connector.resources);
    const held = await resourcesHeld(title, slug);
    expect(held.filter((name) => !declared.includes(name))).toEqual([]);
    expect(declared.filter((name) => !held.includes(name))).toEqual([]);
  });

  it('states for every pull how deletions are detected, or why they cannot be', () => {
    const unsaid = connector.pulls.filter(({ deletions }) => deletions !== 'by_absence' && !deletions?.unseen);
    expect(unsaid.map(({ name }) => name)).toEqual([]);
  });

  it('has a pull for every declared resource and no other', () => {
    const fed = new Set(connector.pulls.flatMap((pull) => pull.resources));
    expect([...fed].toSorted()).toEqual(Object.keys(connector.resources).toSorted());
  });

  it('names each pull once', () => {
    expect(repeated(connector.pulls.map((pull) => pull.name))).toEqual([]);
  });

  it('has valid window sizes', () => {
    for (const pull of connector.pulls) {
      expect({ pull: pull.name, ok: pull.chunkDays >= 1 && pull.rereadDays >= 1 }).toEqual({ pull: pull.name, ok: true });
      expect(pull.backfillDays).toBeGreaterThanOrEqual(1);
      expect(pull.backfillDays).toBeLessThanOrEqual(connector.backfillDays);
      expect(pull.reachDays ?? pull.backfillDays).toBeGreaterThanOrEqual(pull.backfillDays);
      expect(pull.reachDays ?? 0).toBeLessThanOrEqual(historyDaysMax);
    }
  });

  it('requests every scope that a resource or a pull needs, each once', () => {
    const needed = [
      ...Object.values(connector.resources).flatMap((needs) => [...needs.required, ...needs.optional]),
      ...connector.pulls.flatMap((pull) => pull.requiredScopes),
    ];
    expect(needed.filter((scope) => !everyScopeOf(connector).includes(scope))).toEqual([]);
    expect(repeated(scopesOf(connector))).toEqual([]);
  });

  it('runs a pull for each available resource: the pull needs no more scopes than the resource', () => {
    for (const [name, needs] of Object.entries(connector.resources)) {
      const feeding = connector.pulls.filter((pull) => pull.resources.includes(name));
      const runs = feeding.some((pull) => pull.requiredScopes.every((scope) => needs.required.includes(scope)));
      expect({ name, runs }).toEqual({ name, runs: true });
    }
  });

  it('has every resource available when all scopes are granted', () => {
    const availability = resourceAvailability(connector, everyScopeOf(connector));
    const statuses = Object.keys(connector.resources).map((name) => availability[name]?.status);
    expect(new Set(statuses)).toEqual(new Set(['available']));
  });

  it('classifies ordinary error statuses by their usual meaning', () => {
    const codeOf = (status: number): string => connector.classify({ status, headers: {}, body: undefined }).code;
    expect(codeOf(429)).toBe('provider_rate_limited');
    expect(codeOf(401)).toBe('provider_token_expired');
    expect([500, 502, 503, 504].map(codeOf)).toEqual(Array.from({ length: 4 }, () => 'provider_transient'));
    expect(connector.classify({ status: 429, headers: { 'retry-after': '9' }, body: undefined })).toEqual({
      code: 'provider_rate_limited',
      retryAfterMs: 9000,
    });
  });

  it('classifies error responses with any body', () => {
    for (const body of [undefined, null, 1, 'x', [], {}, { errors: 1 }, { errors: [null] }]) {
      for (const status of [300, 400, 401, 403, 404, 409, 418, 429, 500, 599]) {
        expect(connector.classify({ status, headers: {}, body }).code).toMatch(/^provider_/);
      }
    }
  });

  it('rejects unverifiable pushes, and throws only push_unreadable for unreadable ones', () => {
    if (connector.push === null) return;
    for (const text of ['', '\u0000', '"x"', '{}', 'null', '[null]', '[{}]', '{"a":[{}]}', 'a=b&c']) {
      const push: RawPush = { ...noQuery, method: 'POST', body: Buffer.from(text) };
      expect(connector.push.isSigned && connector.push.verify(push, proof)).toBe(false);
      try {
        expect(connector.push.parse(push).notices).toEqual([]);
      } catch (error) {
        expect(error).toMatchObject({ code: 'push_unreadable' });
      }
    }
  });
});
