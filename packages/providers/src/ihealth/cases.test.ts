import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { findIhealthRefusal } from './classify.ts';

interface Case {
  readonly calls: readonly { readonly answer: Readonly<Record<string, unknown>> }[];
}

const caseOf = async (name: string): Promise<Case> =>
  JSON.parse(await readFile(new URL(`fixtures/cases/${name}.json`, import.meta.url), 'utf8')) as Case;

it('tells wrong keys of the operator from a permission that the user did not give', async () => {
  const { calls } = await caseOf('configuration-fault');
  const verdicts = calls.map(({ answer }) => findIhealthRefusal({ status: 200, headers: {}, body: answer }));
  expect(verdicts).toEqual([
    { code: 'provider_configuration', details: { reason: 'application_serial' } },
    { code: 'provider_configuration', details: { reason: 'invalid_client' } },
    { code: 'provider_scope_missing' },
  ]);
});
