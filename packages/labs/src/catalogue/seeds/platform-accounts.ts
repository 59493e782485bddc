import { uuidv5 } from '@pulsewire/kernel';

const namespace = '6f0f5a0e-6a3e-5d0c-9a51-7f6d3a0c1b11';

/** The platform's account at a lab; the same in every installation. */
export function platformAccountId(labSlug: string): string {
  return uuidv5(namespace, `platform account ${labSlug}`);
}

/** A lab test that every sandbox team has. */
export function sandboxTestId(teamId: string, method: string): string {
  return uuidv5(teamId, `sandbox test ${method}`);
}
