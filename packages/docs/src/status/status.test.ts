import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectors } from '@pulsewire/providers';
import { areas } from './areas.ts';
import { areaOf, operationsOf, type OpenApi } from './interface.ts';
import { providerNotes } from './provider-notes.ts';
import { statusPage } from './status-page.ts';

const document = JSON.parse(readFileSync(new URL('../../../../schemas/openapi/openapi.json', import.meta.url), 'utf8')) as OpenApi;

describe('the status page', () => {
  it('has every operation of the OpenAPI document in one of its areas', () => {
    expect(Object.keys(document.paths).filter((path) => areaOf(path) === undefined)).toEqual([]);
  });

  it('has no area without an operation', () => {
    expect(areas.filter((area) => operationsOf(area, document).length === 0).map(({ title }) => title)).toEqual([]);
  });

  it('describes every connector, and no other', () => {
    expect(Object.keys(providerNotes).toSorted()).toEqual(connectors.map(({ slug }) => slug).toSorted());
  });

  it('names the resources that each connector reads', () => {
    const page = statusPage(document).replaceAll(/\n {2}/g, ' ');
    const missing = connectors.filter(({ slug, resources }) => {
      const item = page.split('\n').find((line) => line.startsWith(`- [\`${slug}\`]`)) ?? '';
      return !Object.keys(resources).every((resource) => new RegExp(`\\b${resource}\\b`).test(item));
    });
    expect(missing.map(({ slug }) => slug)).toEqual([]);
  });

  it('says when a provider has ended and what replaces it', () => {
    expect(statusPage(document).replaceAll(/\s+/g, ' ')).toContain('**Ended on 2 November 2026; link google_health instead.**');
  });
});
