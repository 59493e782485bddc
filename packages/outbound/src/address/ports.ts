// The ports of other protocols that browsers refuse as well (Fetch standard, section "Port blocking"): a body that a team controls must not
// be sent to a mail server, a shell or an IRC network from our address.
const refused: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

// Databases, caches, queues and control planes: none of them is a team's receiver, and some execute the content of a request.
const infrastructure: ReadonlySet<number> = new Set([
  1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5433, 5671, 5672, 5984, 6379, 6380, 6432, 7000, 7001, 8086, 9042, 9092, 9093,
  9200, 9300, 10250, 11211, 15672, 26379, 27017, 27018, 27019,
]);

/** Whether webhooks may go to this port; the empty text is the scheme's own. */
export function isPortAllowed(port: string): boolean {
  return port === '' || !(refused.has(Number(port)) || infrastructure.has(Number(port)));
}
