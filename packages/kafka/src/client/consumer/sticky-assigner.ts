import { AssignerProtocol, type PartitionAssigner } from 'kafkajs';

/**
 * Shares one topic's partitions so that a member keeps what it has: kafkajs' own assigner deals them anew at each change,
 * which would take every shard from every dispatcher whenever one comes or goes. Members say what they own when they join.
 *
 * `owned` is asked at each join, `joining` told of it.
 */
export function createStickyAssigner(topic: string, owned: () => readonly number[], joining: () => void): PartitionAssigner {
  return ({ cluster }) => ({
    name: 'PulsewireSticky',
    version: 1,
    protocol({ topics }) {
      joining();
      const userData = Buffer.from(JSON.stringify(owned()));
      return { name: 'PulsewireSticky', metadata: AssignerProtocol.MemberMetadata.encode({ version: 1, topics: [...topics], userData }) };
    },
    async assign({ members }) {
      const partitions = cluster.findTopicPartitionMetadata(topic).map((metadata) => metadata.partitionId);
      const claims = members.map(({ memberId, memberMetadata }) => ({ memberId, partitions: readClaim(memberMetadata) }));
      return [...sharePartitions(partitions, claims)].map(([memberId, own]) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({ version: 1, assignment: { [topic]: own }, userData: Buffer.alloc(0) }),
      }));
    },
  });
}

interface Claim {
  readonly memberId: string;
  readonly partitions: readonly number[];
}

/** Partitions for each member: even to within one, and with as few moves as that allows. */
export function sharePartitions(partitions: readonly number[], claims: readonly Claim[]): Map<string, number[]> {
  const free = new Set(partitions);
  // Who owns most comes first, because the larger shares are dealt in this order; the id decides between equals, so that every leader finds the same.
  const members = [...claims].sort((a, b) => b.partitions.length - a.partitions.length || (a.memberId < b.memberId ? -1 : 1));
  const least = Math.floor(partitions.length / Math.max(1, members.length));
  let larger = partitions.length % Math.max(1, members.length);
  const shares = new Map<string, { own: number[]; size: number }>();
  for (const { memberId, partitions: claimed } of members) {
    const size = larger-- > 0 ? least + 1 : least;
    const own: number[] = [];
    // A partition that two claim stays with the first: the other was out of the group when it was given away.
    for (const partition of claimed) if (own.length < size && free.delete(partition)) own.push(partition);
    shares.set(memberId, { own, size });
  }
  const rest = [...free].sort((a, b) => a - b);
  for (const share of shares.values()) share.own.push(...rest.splice(0, share.size - share.own.length));
  return new Map([...shares].map(([memberId, { own }]) => [memberId, own.sort((a, b) => a - b)]));
}

function readClaim(memberMetadata: Buffer): readonly number[] {
  try {
    const claim: unknown = JSON.parse(String(AssignerProtocol.MemberMetadata.decode(memberMetadata)?.userData ?? '[]'));
    return Array.isArray(claim) ? claim.filter((partition): partition is number => Number.isInteger(partition)) : [];
  } catch {
    return [];
  }
}
