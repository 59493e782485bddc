import type { LabAccount } from './lab-accounts.ts';

export function renderLabAccount(account: LabAccount) {
  return {
    id: account.labAccountId,
    lab: account.labSlug,
    org_id: account.orgId,
    status: account.status,
    delegated_flow: account.delegatedFlow,
    provider_account_id: account.providerAccountId,
    account_name: account.accountName,
    default_clinical_notes: account.defaultClinicalNotes,
    business_units: account.businessUnits,
    allowed_billing: account.allowedBilling,
    team_id_allowlist: account.teamIds,
  };
}
