import { demoProviders, emailProviders, findResource, passwordProviders, resources as contractResources } from '@pulsewire/contract';
import { describe, expect, it } from 'vitest';
import { createFitbit } from './fitbit/connector.ts';
import { withoutConnector } from './without-connector.ts';
import { catalogue, connectors, findConnector, findIdentity, providerRef } from './registry.ts';
import { seriesRows } from './phone_sdk/series.ts';
import { resourceAvailability } from './kit/resource-availability.ts';
import type { Connector } from './kit/types/connector.ts';

const fitbit = createFitbit();
const oauthOf = (scopes: readonly string[]): Connector['oauth'] => fitbit.oauth && { ...fitbit.oauth, scopes };

describe('registry', () => {
  it('finds connectors by slug and nothing else', () => {
    expect(findConnector('fitbit')?.name).toBe('Fitbit');
    expect(findConnector('constructor')).toBeUndefined();
  });

  it('names a provider the same way everywhere', () => {
    const ref = { name: 'Fitbit', slug: 'fitbit', logo: 'https://assets.example/fitbit.svg' };
    expect(providerRef(fitbit, 'https://assets.example/')).toEqual(ref);
    expect(catalogue(connectors, { logoBaseUrl: 'https://assets.example' })).toContainEqual(
      expect.objectContaining({ ...ref, auth_type: 'oauth' }),
    );
  });

  it('names as successor only a provider that takes the connections over', () => {
    const ending = connectors.filter(({ successor }) => successor !== undefined);
    expect(ending.map(({ slug }) => slug)).toContain('fitbit');
    for (const { slug, successor } of ending) expect(findConnector(successor ?? '')?.succeeds?.provider).toBe(slug);
  });

  it('says in the catalogue when a provider has ended and what replaces it, and nothing of others', () => {
    const rows = catalogue(connectors, { logoBaseUrl: '' });
    const descriptionOf = (slug: string) => rows.find((row) => row.slug === slug)?.description;
    expect(descriptionOf('fitbit')).toMatch(/\. Ended on 2 November 2026; link google_health instead$/);
    expect(descriptionOf('google_fit')).toMatch(/\. Ends during 2026$/);
    expect(descriptionOf('oura')).not.toMatch(/\bEnd(?:s|ed)\b/);
  });

  it('filters the catalogue by kind of source', () => {
    const slugsOf = (sourceKind: string | null) => catalogue(connectors, { logoBaseUrl: '', sourceKind }).map((row) => row.slug);
    expect(slugsOf('provider')).toContain('fitbit');
    expect(slugsOf('ble')).toContain('contour_ble');
    expect(slugsOf('ble')).not.toContain('fitbit');
    expect(slugsOf('app')).toEqual(['apple_health_kit', 'health_connect', 'manual', 'samsung_health']);
    expect(slugsOf(null)).toContain('fitbit');
  });
});

describe('a provider without a connector', () => {
  it('is known and listed by its row, until a connector takes its place', () => {
    const known = { slug: 'apple_health_kit', name: 'Apple HealthKit', authType: 'sdk', oauth: null };
    expect([findIdentity('apple_health_kit'), findConnector('apple_health_kit')]).toEqual([expect.objectContaining(known), undefined]);
    const listed = (served: readonly Connector[]) =>
      catalogue(served, { logoBaseUrl: '' }).filter(({ slug }) => slug === 'apple_health_kit');
    expect(listed(connectors)).toMatchObject([{ name: 'Apple HealthKit', auth_type: 'sdk' }]);
    const connector = { ...fitbit, slug: 'apple_health_kit' };
    expect(listed([connector])).toMatchObject([{ name: 'Fitbit', auth_type: 'oauth' }]);
    expect(findIdentity('apple_health_kit', () => connector)).toBe(connector);
    expect(findIdentity('constructor')).toBeUndefined();
  });

  it('has a slug and a number of its own, and only resources of the contract', () => {
    const all = [...connectors, ...withoutConnector];
    for (const key of ['slug', 'sourceId'] as const) expect(new Set(all.map((one) => one[key])).size).toBe(all.length);
    const resources = withoutConnector.flatMap((identity) => Object.keys(identity.resources));
    expect(resources.filter((name) => !['summary', 'timeseries'].includes(findResource(name)?.kind ?? ''))).toEqual([]);
  });
});

/** What phones send besides single samples. */
const phoneSummaries = ['profile', 'activity', 'body', 'meal', 'sleep', 'sleep_cycle', 'workouts', 'menstrual_cycle', 'blood_pressure'];

describe('the series and summaries', () => {
  const names = contractResources.flatMap(({ kind, name }) => (kind === 'summary' || kind === 'timeseries' ? [name] : []));

  it('are all read from a provider or a phone, except those of labs and the copy of the sleep cycle', () => {
    const read = [
      ...connectors.flatMap((connector) => Object.keys(connector.resources)),
      ...Object.values(seriesRows).map((row) => row.resource),
    ];
    expect(names.filter((name) => !read.includes(name))).toEqual(['cholesterol', 'hypnogram', 'ige', 'igg']);
  });

  it('of phones are ones that their rows in the catalogue declare', () => {
    const produced = [...Object.values(seriesRows).map(({ resource }) => resource), ...phoneSummaries];
    const undeclared = withoutConnector
      .filter(({ slug }) => ['apple_health_kit', 'health_connect', 'samsung_health'].includes(slug))
      .flatMap(({ slug, supportedResources }) =>
        produced.flatMap((name) => (supportedResources.includes(name) ? [] : [`${slug} ${name}`])),
      );
    expect(undeclared).toEqual([]);
  });

  it('can all be sent by hand, except the copy of the sleep cycle', () => {
    const sent = withoutConnector.find(({ slug }) => slug === 'manual')?.supportedResources ?? [];
    expect(names.filter((name) => !sent.includes(name))).toEqual(['hypnogram']);
  });
});

describe('the slugs that the HTTP interface names', () => {
  it('are known here, those of demo connections', () => {
    expect(demoProviders.filter((slug) => findIdentity(slug) === undefined)).toEqual([]);
  });

  it('are linked as the interface specifies, where there is a connector', () => {
    const served = (slugs: readonly string[]) => connectors.filter(({ slug }) => slugs.includes(slug));
    expect(served(passwordProviders).filter(({ password }) => password === null)).toEqual([]);
    expect(served(emailProviders).filter(({ email }) => email === null)).toEqual([]);
  });

  it('include every connector that is linked by password or e-mail', () => {
    const slugsWith = (way: 'password' | 'email') => connectors.filter((connector) => connector[way] !== null).map(({ slug }) => slug);
    expect(passwordProviders).toEqual(expect.arrayContaining(slugsWith('password')));
    expect(emailProviders).toEqual(expect.arrayContaining(slugsWith('email')));
  });
});

describe('resourceAvailability', () => {
  it('lists every resource, available when each required scope is granted', () => {
    const map = resourceAvailability(fitbit, ['activity', 'weight'], ['sleep', 'heartrate']);
    expect(Object.keys(map)).toEqual(Object.keys({ ...fitbit.resources, ...fitbit.unavailableResources }));
    expect(map['body']).toEqual({
      status: 'available',
      scope_requirements: { user_granted: { required: ['weight'], optional: [] }, user_denied: { required: [], optional: [] } },
    });
    expect(map['activity']).toEqual({
      status: 'available',
      scope_requirements: {
        user_granted: { required: ['activity'], optional: [] },
        user_denied: { required: [], optional: ['heartrate'] },
      },
    });
    expect(map['sleep']).toEqual({
      status: 'unavailable',
      scope_requirements: { user_granted: { required: [], optional: [] }, user_denied: { required: ['sleep'], optional: [] } },
    });
  });

  it('treats what was requested and not granted as denied', () => {
    expect(resourceAvailability(fitbit, ['activity'])['sleep']?.scope_requirements?.user_denied.required).toEqual(['sleep']);
  });

  it('needs all of several required scopes', () => {
    const both: Pick<Connector, 'resources' | 'oauth'> = {
      resources: { steps: { required: ['a', 'b'], optional: [] } },
      oauth: oauthOf(['a', 'b']),
    };
    expect(resourceAvailability(both, ['a'])['steps']).toEqual({
      status: 'unavailable',
      scope_requirements: { user_granted: { required: ['a'], optional: [] }, user_denied: { required: ['b'], optional: [] } },
    });
  });

  it('has everything available where the provider has no scopes', () => {
    const scopeless: Pick<Connector, 'resources' | 'oauth'> = {
      resources: { steps: { required: [], optional: [] } },
      oauth: oauthOf([]),
    };
    expect(resourceAvailability(scopeless, [])).toEqual({ steps: { status: 'available', scope_requirements: null } });
  });
});
