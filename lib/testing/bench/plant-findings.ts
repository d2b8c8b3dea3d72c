import * as z from 'zod'
import { DETECTORS } from '../../core/findings/detectors'
import { SEVERITIES, type SessionFinding } from '../../core/findings/finding'
import { shortDigest } from '../../core/history/short-digest'
import { estimated, measured } from '../../core/tokens/figure'
import { writeFindings } from '../../db/commands/write-findings'
import type { Connection } from '../../db/connection'
import { rowsOf } from '../../db/rows'
import { type Random, seededRandom } from '../../demo/random'

const SESSION = z.object({
  row: z.number(),
  id: z.string(),
  sessionId: z.string(),
  storeId: z.string(),
  agent: z.string().nullable(),
})
type Session = z.output<typeof SESSION>

/** Fixed, so that every run measures the same rows. */
const NOW = Date.parse('2026-11-20T12:00:00Z')

/**
 * Gives every session of a database two findings: of one of `causes` causes, and of one of a few that many share.
 * Answers how many findings there are.
 */
export async function plantFindings(
  connection: Connection,
  { causes, shared, seed }: { readonly causes: number; readonly shared: number; readonly seed: number },
): Promise<number> {
  const answer = connection.run('SELECT "row", "id", "sessionId", "storeId", "agent" FROM "Session"')
  const sessions = rowsOf(SESSION, answer)
  const random = seededRandom(seed)
  let findings = 0
  await connection.write(() => {
    for (const [i, session] of sessions.entries()) {
      const planted = [
        makeOne(random, session, `cause ${i % causes}`),
        makeOne(random, session, `shared ${i % shared}`),
      ]
      writeFindings(connection, session.row, { findings: planted, at: NOW })
      findings += planted.length
    }
  })
  return findings
}

/** As long as real ones are. */
function makeOne(random: Random, session: Session, about: string): SessionFinding {
  const { kind = '' } = DETECTORS[Number.parseInt(shortDigest(about), 16) % DETECTORS.length] ?? {}
  const [tokens, usd] = [random.int(1_000, 5_000_000), random.int(1, 4_000) / 100]
  const calls = Array.from({ length: 12 }, (_, i) => 3 * i + 1)
  const lastSeen = NOW - random.int(0, 60) * 86_400_000
  return {
    id: `${kind}.${shortDigest(`${session.id} ${about}`)}`,
    kind,
    cause: `${kind} ${about}`,
    severity: SEVERITIES[random.int(0, SEVERITIES.length - 1)] ?? 'low',
    confidence: 'likely',
    evidence: { times: 40, calls, lines: calls, before: tokens, after: null },
    cost: { tokens: measured(tokens), usd: estimated(usd, 10), calls: measured(40), unpriced: 0 },
    firstSeen: lastSeen - 3_600_000,
    lastSeen,
    concerns: {
      storeId: session.storeId,
      transcriptId: session.id,
      sessionId: session.sessionId,
      agent: session.agent,
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
    },
    sentence: `A result of ${about} was sent ${tokens} times more than it was needed, in calls that follow each other, by what was planted for this bench.`,
    remedies: [
      { by: 'action', action: 'compact', words: 'Compact the session; the dry run says what it brings.' },
      { by: 'advice', words: 'Ask for less: narrower arguments, a part of the file, a limit on its output.' },
    ],
  }
}
