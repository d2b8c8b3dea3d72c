import { countCold } from '../../compose/cold/cold'
import { type LastHealth, notifyOperator, openLog } from '../../compose/logs'
import type { SessionFinding } from '../../core/findings/finding'
import { maskSecrets } from '../../core/redaction/secrets'
import { checkHealth, type Health, noteHealth } from '../../engine/logs/check-health'
import { NO_LOG } from '../../engine/logs/log-ports'
import { notifyFindings } from '../../engine/logs/notify-findings'
import { formatCount, formatPercent, formatQuantity } from '../../view/text/format'
import type { Io } from '../io'
import { figureCell, figureJson } from '../print/figure-json'
import { findingJson } from '../print/finding-json'
import { note } from '../print/output'
import type { ListedTranscript } from './choose-session'
import { judgeSession } from './judge-session'
import type { FindingsOfSession } from './session-findings'
import { setupOrFail } from './setup-or-fail'
import type { Sources } from './sources'

export type HealthCheck = {
  readonly policy?: string
  /** Share of the window, 0 to 1, above which a notice is sent; null: never. */
  readonly above: number | null
  /** What is wrong or dear in a session; null: not asked. */
  readonly findings: FindingsOfSession | null
  /** The check is noted in the log. */
  readonly log: boolean
  /** Last lines of the log; each log is read once for as long as it is the same object. */
  readonly last: LastHealth
}

export type CheckedSession = {
  readonly listed: ListedTranscript
  readonly health: Health
  readonly isAbove: boolean | null
  readonly notified: boolean
  readonly message: string
  /** Those that were asked about, the worst first; null: not asked. */
  readonly findings: readonly SessionFinding[] | null
  /** The operator got a notice of them now. */
  readonly findingsNotified: boolean
}

/** Checks one session, notes it, and tells the operator where that is asked for. Problems go to standard error. */
export async function checkSession(
  io: Io,
  sources: Sources,
  listed: ListedTranscript,
  { policy: chosen, above, log, last, findings: look }: HealthCheck,
): Promise<CheckedSession> {
  const { transcript } = listed
  const judgement = await judgeSession(io, sources, listed, chosen)
  const { session: status, judged, draft, window: inForce, reckoned } = judgement
  const { policy } = draft
  const setup = setupOrFail(io)
  const { sessionId, key } = transcript
  const { tokens: window } = inForce
  const cold = await countCold(setup, policy, transcript)
  const chunks = { held: status.chunks, cold }
  const health = checkHealth(judged, sessionId, window, status.totals.context, chunks, reckoned.tokens)
  const message = messageOf(health, above)
  const lastLine =
    (above === null && look === null) || !log ? null : await last(setup, policy.logs, sessionId)
  const findings = look === null ? null : await look(listed)
  const named = { session: maskSecrets(sessionId), key: key === null ? null : maskSecrets(key) }
  const reported =
    findings === null
      ? null
      : await notifyFindings({
          ids: findings.map(({ id }) => id),
          last: lastLine?.findingsNotified ?? [],
          notify: (already) => notifyOperator(setup, findingFacts(named, findings), already),
        })
  const { isAbove, notified, problems } = await noteHealth(
    log ? openLog(setup)(policy.logs) : NO_LOG,
    health,
    {
      above,
      last: lastLine,
      findingsNotified: reported?.findingsNotified ?? lastLine?.findingsNotified ?? null,
      notify: (alreadyNotified) =>
        notifyOperator(
          setup,
          {
            event: 'context_health',
            ...named,
            tokens: health.tokens.value,
            basis: health.tokens.basis,
            window,
            pctUsed: health.share,
            notifyIfPct: above,
            message: maskSecrets(message),
          },
          alreadyNotified,
        ),
    },
  )
  for (const problem of [...(reported?.problems ?? []), ...problems]) await note(io, problem)
  return {
    listed,
    health,
    isAbove,
    notified,
    message,
    findings,
    findingsNotified: reported?.notified ?? false,
  }
}

/** What a notice of findings carries. */
function findingFacts(
  named: { readonly session: string; readonly key: string | null },
  findings: readonly SessionFinding[],
): Parameters<typeof notifyOperator>[1] {
  return {
    event: 'context_findings',
    ...named,
    findings: findings.map(({ id, kind, severity, sentence, remedies }) => ({
      ...{ id, kind, severity, sentence },
      remedy: remedies[0]?.words ?? null,
    })),
    message: `${formatQuantity(findings.length, 'finding')} in ${named.session}: ${findings[0]?.sentence ?? ''}`,
  }
}

export function healthJson(
  { listed: { transcript }, health, isAbove, notified, message, findings, findingsNotified }: CheckedSession,
  above: number | null,
) {
  return {
    session: transcript.sessionId,
    key: transcript.key,
    tokens: figureJson(health.tokens),
    window: health.window,
    pctUsed: health.share,
    chunks: health.chunks.held,
    coldChunks: health.chunks.cold,
    nextCompaction: health.nextCompaction,
    needsCompaction: health.needsCompaction,
    notifyIfPct: above,
    above: isAbove,
    notified,
    message,
    findings: findings?.map(findingJson) ?? null,
    findingsNotified,
  }
}

function messageOf(
  { sessionId, tokens, window, share, nextCompaction }: Health,
  above: number | null,
): string {
  if (share === null) return `How full the context of ${sessionId} is, is unknown: no call was measured yet.`
  const next = nextCompaction === null ? '' : `; compaction from ${formatCount(nextCompaction)} on`
  const held = above === null ? '' : `, ${share > above ? 'above' : 'not above'} ${formatPercent(above)}`
  return `The context of ${sessionId} holds ${figureCell(tokens)} of ${formatCount(window)} tokens (${formatPercent(share)}${held})${next}.`
}
