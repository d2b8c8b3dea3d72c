import { maskSecrets } from '../../core/redaction/secrets'
import { checkHealth, type Health, noteHealth } from '../../engine/check-health'
import { NO_LOG } from '../../engine/log-ports'
import { inspectStatus } from '../../engine/session-status'
import { formatCount, formatPercent } from '../../view/format'
import { lastHealth, notifyOperator, openLog } from '../../wire/logs'
import { resolveChosen } from '../chosen-policy'
import { figureCell, figureJson } from '../figure-json'
import { findSession } from '../find-session'
import { EXIT, type ExitCode, type Io } from '../io'
import { note, write, writeJson } from '../output'
import type { ReadOptions } from '../read-options'
import { setupOrFail } from '../setup-or-fail'
import { openSources } from '../sources'
import { toTerminal } from '../terminal-text'
import { subjectOf, windowOf } from './status'

export type HealthOptions = ReadOptions & {
  readonly session?: string
  readonly policy?: string
  /** Share of the window, 0 to 1. */
  readonly notifyIfPct?: number
  /** false: the check is not noted in the log. */
  readonly log: boolean
}

/**
 * Checks how full a session's window is, notes it in the health log, and says no (exit code 1) above a share that was
 * asked about. What is unknown is not above anything, and is said.
 */
export async function health(io: Io, options: HealthOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, options.session)
  const status = await inspectStatus({ outline: sources.outline, full: sources.reader }, store, transcript)
  const { policy } = await resolveChosen(io, {
    chosen: options.policy,
    stores: sources.stores,
    store,
    subject: subjectOf(status),
  })
  const setup = setupOrFail(io)
  const { tokens: window } = windowOf(status, policy)
  const checked = checkHealth(policy, transcript.sessionId, window, status.totals.context)
  const above = options.notifyIfPct ?? null
  const message = messageOf(checked, above)
  const noted = await noteHealth(options.log ? openLog(setup)(policy.logs) : NO_LOG, checked, {
    above,
    last: above === null || !options.log ? null : await lastHealth(setup, policy.logs, transcript.sessionId),
    notify: () =>
      notifyOperator(setup, {
        event: 'context_health',
        session: maskSecrets(transcript.sessionId),
        key: transcript.key === null ? null : maskSecrets(transcript.key),
        tokens: checked.tokens.value,
        basis: checked.tokens.basis,
        window,
        pctUsed: checked.share,
        notifyIfPct: above,
        message: maskSecrets(message),
      }),
  })
  for (const problem of noted.problems) await note(io, problem)
  const { isAbove, notified } = noted
  if (options.json)
    await writeJson(io, {
      session: transcript.sessionId,
      key: transcript.key,
      tokens: figureJson(checked.tokens),
      window,
      pctUsed: checked.share,
      nextCompaction: checked.nextCompaction,
      needsCompaction: checked.needsCompaction,
      notifyIfPct: above,
      above: isAbove,
      notified,
      message,
    })
  else await write(io.stdout, `${toTerminal(message)}\n`)
  return isAbove === true ? EXIT.no : EXIT.done
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
