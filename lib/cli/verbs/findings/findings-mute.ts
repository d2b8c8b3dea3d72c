import { addMute, readMutes, removeMutes } from '../../../config/mutes'
import { type FindingMute, MOST_REASON } from '../../../core/findings/mutes'
import { maskSecrets } from '../../../core/redaction/secrets'
import { findFinding, openCliRemedies } from '../../choose/open-remedies'
import type { ReadVerbOptions } from '../../choose/read-options'
import { setupOrFail } from '../../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { timeJson } from '../../print/figure-json'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'

type MuteFindingOptions = ReadVerbOptions & {
  readonly finding: string
  readonly reason?: string
  /** Milliseconds since 1970; left out: for good. */
  readonly until?: number
  /** All findings of its cause. */
  readonly cause?: boolean
}

/** Leaves a finding, or all of its cause, out of lists, with the reason and until when. */
export async function muteFinding(io: Io, options: MuteFindingOptions): Promise<ExitCode> {
  const { environment } = setupOrFail(io)
  const reason = options.reason?.trim() ?? ''
  const now = Date.now()
  if (reason === '' || reason.length > MOST_REASON)
    throw new CliError(
      EXIT.usage,
      `findings mute needs --reason "…", of at most ${MOST_REASON} characters: why it need not be looked at.`,
    )
  if (options.until !== undefined && options.until <= now)
    throw new CliError(EXIT.usage, '--until lies in the past; name a day that is to come.')
  const { finding } = await findFinding(io, await openCliRemedies(io, options.store), options.finding)
  const mute: FindingMute = {
    finding: finding.id,
    cause: options.cause === true ? finding.cause : null,
    ...{ reason, at: now, until: options.until ?? null },
  }
  addMute(environment.home, mute)
  if (options.json) await writeJson(io, { muted: muteJson(mute) })
  else await write(io.stdout, `Muted. "plimsoll findings unmute ${finding.id}" shows it again.\n`)
  return EXIT.done
}

/** Shows a finding again, and all of its cause where that was muted. */
export async function unmuteFinding(
  io: Io,
  { finding: id, json }: Pick<MuteFindingOptions, 'finding' | 'json'>,
): Promise<ExitCode> {
  const { home } = setupOrFail(io).environment
  const named = readMutes(home).find(({ finding }) => finding === id)
  const removed = named === undefined ? 0 : removeMutes(home, named)
  if (json) await writeJson(io, { finding: id, removed })
  else await write(io.stdout, removed === 0 ? `${toTerminal(id)} is not muted.\n` : 'It shows again.\n')
  return removed === 0 ? EXIT.no : EXIT.done
}

/** What is muted, as a document for programs. */
export function muteJson({ finding, cause, reason, at, until }: FindingMute) {
  return {
    finding,
    cause: cause === null ? null : maskSecrets(cause),
    reason,
    at: timeJson(at),
    until: timeJson(until),
  }
}
