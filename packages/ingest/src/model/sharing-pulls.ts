import type { Connector } from '@pulsewire/providers';

/** The pulls that read any of these resources: what one of them stores, another compares with. */
export function sharingPulls({ pulls }: Pick<Connector, 'pulls'>, resources: readonly string[]): readonly string[] {
  return pulls.filter((pull) => pull.resources.some((resource) => resources.includes(resource))).map(({ name }) => name);
}
