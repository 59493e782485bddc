import { AssignerProtocol, type PartitionAssigner } from 'kafkajs';

/**
 * Assigns the partitions of one topic so that members keep theirs: kafkajs' own assigner redistributes all of them at each change, which
 * would move every shard whenever a dispatcher joins or leaves. Members report what they own when they join: `owned` and `joining` are
 * called at each join.
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

/** Partitions for each member: balanced to within one, with as few moves as possible. */
export function sharePartitions(partitions: readonly number[], claims: readonly Claim[]): Map<string, number[]> {
  const free = new Set(partitions);
  // The largest owners come first, because they get the larger shares; ties are broken by id, so that every leader computes the same.
  const members = [...claims].sort((a, b) => b.partitions.length - a.partitions.length || (a.memberId < b.memberId ? -1 : 1));
  const least = Math.floor(partitions.length / Math.max(1, members.length));
  let larger = partitions.length % Math.max(1, members.length);
  const shares = new Map<string, { own: number[]; size: number }>();
  for (const { memberId, partitions: claimed } of members) {
    const size = larger-- > 0 ? least + 1 : least;
    const own: number[] = [];
    // A partition claimed twice stays with the first: the other member was out of the group when it was reassigned.
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
