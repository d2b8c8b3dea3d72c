import type { SessionLoads } from '../../core/budget/session-loads'
import type { InspectedCompaction } from '../../core/compaction/inspect'
import { compareFindings, type SessionFinding } from '../../core/findings/finding'
import { SignFold } from '../../core/findings/sign-fold'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import { type ReportSums, type SummedHabit, sumHabits, sumReport } from '../../core/report/report-sums'
import { isInPeriod, type SessionShare, sessionShare } from '../../core/report/session-share'
import type { OwnPrices } from '../../core/tokens/own-prices'
import { RequestClaims, requestsOf } from '../../core/transcript/request-claims'
import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { compactionDetail } from '../compaction/compaction-losses'
import { listCompactions } from '../compaction/list-compactions'
import { isWanted } from '../findings/examine-stores'
import { examinedSession } from '../findings/examined-session'
import { callLines } from '../read/call-line'
import { type InspectedSession, inspectSession } from '../read/inspect-session'
import type { StoreKind, StoreReader } from '../read/ports'
import { type StoredTranscript, sessionsOnce } from '../read/sessions-once'

/** What a report draws on. */
export type ReportSources = {
  readonly reader: StoreReader
  readonly loads: SessionLoads
  readonly runtimeOf: (storeId: string) => RuntimeStore
  readonly prices: OwnPrices
  /** The present moment. */
  readonly now: Milliseconds
}

/** What compactions lost by name, and what of that was needed again. */
type ReportReturns = {
  /** Compactions whose texts were read, and those that were left out. */
  readonly examined: number
  readonly left: number
  readonly lost: number
  readonly cameBack: number
}

/** Sessions of a period summed up. */
export type Report = {
  /** Milliseconds; null: from the beginning. */
  readonly from: Milliseconds | null
  /** What is wrong or dear in its sessions and showed in the period, the worst first. */
  readonly findings: readonly SessionFinding[]
  readonly sums: ReportSums
  /** The same by runtime, the most calls first. */
  readonly runtimes: readonly { readonly kind: StoreKind; readonly sums: ReportSums }[]
  /** What of the sums is of sub-agents in their own transcripts. */
  readonly agents: ReportSums
  readonly returns: ReportReturns
  /** The dearest first. They overlap: one token can be of several. */
  readonly habits: readonly SummedHabit<StoredTranscript>[]
  /** Transcripts that could not be read, and why. */
  readonly problems: readonly { readonly file: string; readonly problem: string }[]
}

/** Texts around so many compactions are read to see what came back; those of the newest sessions. */
const MOST_EXAMINED = 20

/**
 * Reads the transcripts one after the other, straight from their stores, and sums up what lies in the period. What it
 * holds of each is small. What cannot be read is named.
 * @param from the beginning of a UTC day; null: everything
 */
export async function makeReport(
  sources: ReportSources,
  listed: readonly StoredTranscript[],
  from: Milliseconds | null,
): Promise<Report> {
  const found: { session: StoredTranscript; share: SessionShare; ofAgent: boolean }[] = []
  const findings: SessionFinding[] = []
  const claims = new RequestClaims()
  const problems: { file: string; problem: string }[] = []
  const returns = { examined: 0, left: 0, lost: 0, cameBack: 0 }
  for (const one of sessionsOnce(listed, from)) {
    const { store, transcript } = one
    try {
      if (transcript.problem !== undefined) throw new Error(transcript.problem)
      const signs = SignFold.start(sources.prices)
      const session = await inspectSession(
        sources.reader,
        store,
        transcript,
        { texts: false, marks: true },
        (fact, step) => signs.push(fact, step),
      )
      const compactions = listCompactions(session, sources.runtimeOf(store.id))
      const repeated = claims.claim(requestsOf(store.kind, session.facts, session.frames))
      const lineOf = callLines(sources.loads, session)
      const { prices, now } = sources
      const judged = examinedSession(store, transcript, foldedOf(session), lineOf, now)
      const wanted = { from, severity: 'low' } as const
      findings.push(...signs.end(judged).filter((finding) => isWanted(finding, wanted)))
      const share = sessionShare({ ...session, compactions, repeated, lineOf, prices }, from)
      if (!isOfReport(share)) continue
      const ofAgent = (transcript.index?.spawnedBy ?? session.totals.agentOf) !== null
      found.push({ session: one, share, ofAgent })
      const within = compactions.filter(({ at, kind }) => kind !== 'reset' && isInPeriod(at, from))
      await examine(sources.reader, session, within, returns)
    } catch (error) {
      problems.push({ file: transcript.path, problem: reasonOf(error) })
    }
  }
  const kinds = [...new Set(found.map(({ session }) => session.store.kind))]
  return {
    from,
    findings: findings.sort(compareFindings),
    sums: sumReport(found.map(({ share }) => share)),
    runtimes: kinds
      .map((kind) => {
        const own = found.filter(({ session }) => session.store.kind === kind)
        return { kind, sums: sumReport(own.map(({ share }) => share)) }
      })
      .sort((a, b) => b.sums.usage.calls - a.sums.usage.calls),
    agents: sumReport(found.filter(({ ofAgent }) => ofAgent).map(({ share }) => share)),
    returns,
    habits: sumHabits(found.map(({ session, share }) => ({ session, habits: share.habits }))),
    problems,
  }
}

/** What its fold says at the end. */
function foldedOf({ totals, next }: InspectedSession): Parameters<typeof examinedSession>[2] {
  return { totals: () => totals, next: () => next }
}

/** Requests of sub-agents and compactions are no calls, and are billed all the same. */
function isOfReport({ usage, compactions }: SessionShare): boolean {
  const { calls, input, output, cacheRead, cacheWrite } = usage
  const boundaries = compactions.compactions + compactions.resets
  return calls + boundaries > 0 || input + output + cacheRead + cacheWrite > 0
}

/** Reads the texts around compactions, newest first, as long as `returns` has room. */
async function examine(
  reader: StoreReader,
  session: InspectedSession,
  compactions: readonly InspectedCompaction[],
  returns: { -readonly [K in keyof ReportReturns]: number },
): Promise<void> {
  for (const compaction of compactions.toReversed()) {
    const losses =
      returns.examined < MOST_EXAMINED ? (await compactionDetail(reader, session, compaction)).losses : null
    if (losses === null) {
      returns.left += 1
      continue
    }
    returns.examined += 1
    for (const { lost } of Object.values(losses.counts)) returns.lost += lost
    returns.cameBack += losses.spans.filter(({ cameBack }) => cameBack !== null).length
  }
}
