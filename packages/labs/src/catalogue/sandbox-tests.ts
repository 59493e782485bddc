import type { LabsContext } from '../context/context.ts';
import { insertLabTest } from './create-lab-test.ts';
import { findLabBySlug } from './lab.ts';
import { findMarkers } from './markers.ts';
import { sandboxTestId } from './seeds/platform-accounts.ts';

/** One test per collection method; `numbers` are those of the seeds. */
const templates = [
  { method: 'testkit', labSlug: 'ussl', name: 'Lipids and A1c at home', numbers: [5006, 1039], fasting: false },
  { method: 'walk_in_test', labSlug: 'labcorp', name: 'General health', numbers: [5001, 5011], fasting: false },
  { method: 'at_home_phlebotomy', labSlug: 'quest', name: 'Lipid panel', numbers: [5008], fasting: true },
  { method: 'on_site_collection', labSlug: 'bioreference', name: 'Thyroid', numbers: [5021], fasting: false },
] as const;

/** Teams known to have their tests. Deleted teams are not removed, because an entry costs next to nothing. */
const known = new WeakMap<object, Set<string>>();

/** Creates the four lab tests of a sandbox team, once; archived or renamed ones are not changed. */
export async function ensureSandboxTests(
  { database, clock }: Pick<LabsContext, 'database' | 'clock'>,
  team: { readonly teamId: string; readonly isSandbox: boolean },
): Promise<void> {
  const teams = known.get(database) ?? new Set<string>();
  known.set(database, teams);
  if (!team.isSandbox || teams.has(team.teamId)) return;
  const { teamId } = team;
  let isWhole = true;
  await database.transaction(async (tx) => {
    for (const { method, labSlug, name, numbers, fasting } of templates) {
      const lab = await findLabBySlug(tx, labSlug);
      const markers = lab && (await findMarkers(tx, { markerIds: numbers.map((number) => lab.labId * 10_000 + number) }));
      // Without the catalogue there is nothing to create tests from.
      if (!lab || !markers || markers.length === 0) isWhole = false;
      else {
        const labTestId = sandboxTestId(teamId, method);
        const common = { labTestId, teamId, lab, markers, name, method, fasting };
        await insertLabTest(tx, { ...common, description: name, labAccountId: null, composition: null }, clock.now());
      }
    }
  });
  if (isWhole) teams.add(teamId);
}
