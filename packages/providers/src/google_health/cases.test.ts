import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { classifyGoogleHealth } from './data-points.ts';

interface Case {
  readonly calls: readonly { readonly status?: number; readonly answer: Readonly<Record<string, unknown>> }[];
}

const caseOf = async (name: string): Promise<Case> =>
  JSON.parse(await readFile(new URL(`fixtures/cases/${name}.json`, import.meta.url), 'utf8')) as Case;

describe('faults of the operator', () => {
  it('are told from a scope that the user did not grant', async () => {
    const { calls } = await caseOf('operator-fault');
    const verdicts = calls.map(({ status = 200, answer }) => classifyGoogleHealth({ status, headers: {}, body: answer }));
    expect(verdicts).toEqual([
      { code: 'provider_configuration', details: { reason: 'service_disabled' } },
      { code: 'provider_configuration', details: { reason: 'user_project_denied' } },
      { code: 'provider_scope_missing' },
    ]);
  });
});
