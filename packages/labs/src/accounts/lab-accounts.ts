import { and, asc, eq, inArray } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { labAccounts, labAccountTeams, labs } from '../model/catalogue-tables.ts';
import { notFound, refused } from '../model/errors.ts';

export type AccountRow = typeof labAccounts.$inferSelect;

export interface LabAccount extends AccountRow {
  readonly labSlug: string;
  readonly teamIds: readonly string[];
}

/** The team's accounts, oldest first, without the platform's. */
export async function listLabAccounts(
  { orm }: Executor,
  teamId: string,
  filter: { readonly labAccountId?: string | undefined; readonly status?: string | undefined } = {},
): Promise<readonly LabAccount[]> {
  const rows = await run(
    orm
      .select({ account: labAccounts, labSlug: labs.slug })
      .from(labAccountTeams)
      .innerJoin(labAccounts, eq(labAccounts.labAccountId, labAccountTeams.labAccountId))
      .innerJoin(labs, eq(labs.labId, labAccounts.labId))
      .where(
        and(
          eq(labAccountTeams.teamId, teamId),
          filter.labAccountId === undefined ? undefined : eq(labAccounts.labAccountId, filter.labAccountId),
          filter.status === undefined ? undefined : eq(labAccounts.status, filter.status),
        ),
      )
      .orderBy(asc(labAccounts.createdAt), asc(labAccounts.labAccountId)),
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ account }) => account.labAccountId);
  const links = await run(orm.select().from(labAccountTeams).where(inArray(labAccountTeams.labAccountId, ids)));
  const teams = Map.groupBy(links, ({ labAccountId }) => labAccountId);
  return rows.map(({ account, labSlug }) => ({
    ...account,
    labSlug,
    teamIds: (teams.get(account.labAccountId) ?? []).map((link) => link.teamId).sort(),
  }));
}

/** An account of the team. Throws AppError `lab_account_not_found`. */
export async function getLabAccount(executor: Executor, teamId: string, labAccountId: string): Promise<LabAccount> {
  const [account] = await listLabAccounts(executor, teamId, { labAccountId });
  if (!account) throw notFound('lab_account_not_found', 'Lab account not found');
  return account;
}

/** What the account is needed for. */
export interface AccountUse {
  readonly teamId: string;
  readonly labId: number;
  /** The account named by the request; null: one is chosen. */
  readonly labAccountId: string | null;
  readonly billingType: string;
  /** Two-letter code of the patient's state; null when there is no patient yet. */
  readonly state: string | null;
  /** Imports accept pending accounts. */
  readonly isImport: boolean;
}

function assertBilling(account: AccountRow, { billingType, state }: AccountUse): AccountRow {
  // The platform's own account accepts whatever its lab accepts.
  if (account.isPlatform) return account;
  const states = account.allowedBilling[billingType];
  if (states === undefined) throw refused('billing_not_allowed', `The lab account does not allow ${billingType}`);
  if (state !== null && !states.includes(state))
    throw refused('billing_not_allowed', `The lab account does not allow ${billingType} for patients in ${state}`);
  return account;
}

async function named(executor: Executor, use: AccountUse, labAccountId: string): Promise<AccountRow> {
  const [account] = await listLabAccounts(executor, use.teamId, { labAccountId });
  if (!account) throw refused('lab_account_unknown', 'The team has no lab account with this id');
  if (account.labId !== use.labId) throw refused('lab_account_mismatch', 'The lab account and the ordered tests belong to different labs');
  if (account.status === 'active' || (use.isImport && account.status === 'pending')) return account;
  throw refused('lab_account_inactive', `The lab account is ${account.status}`);
}

/**
 * The account that an order uses: the named one, else the team's only active one at this lab, or the platform's when the team has
 * none there. Throws AppErrors of kind `invalid`, also when several accounts of the team are active or all are inactive.
 */
export async function resolveLabAccount(executor: Executor, use: AccountUse): Promise<AccountRow> {
  if (use.labAccountId !== null) return assertBilling(await named(executor, use, use.labAccountId), use);
  const linked = (await listLabAccounts(executor, use.teamId)).filter(({ labId }) => labId === use.labId);
  const [active, another] = linked.filter(({ status }) => status === 'active');
  if (another) throw refused('lab_account_ambiguous', 'The team has several active accounts at this lab; specify one as lab_account_id');
  if (active) return assertBilling(active, use);
  if (linked.length > 0) throw refused('lab_account_inactive', 'None of the accounts of the team at this lab is active');
  const [platform] = await run(
    executor.orm
      .select()
      .from(labAccounts)
      .where(and(eq(labAccounts.labId, use.labId), eq(labAccounts.isPlatform, true), eq(labAccounts.status, 'active'))),
  );
  if (!platform) throw refused('lab_account_missing', 'The team has no account at this lab');
  return platform;
}
