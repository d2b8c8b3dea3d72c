import { resolve } from 'node:path'
import { isExpired } from '../../core/cold/retention'
import type { Policy } from '../../core/policy/policy'
import type { ColdChunk } from '../../engine/cold-store'
import { logRecovery, type RecoveryCause } from '../../engine/log-recovery'
import { recoverChunk } from '../../engine/recover-chunk'
import type { Setup } from '../../wire'
import { recoverPorts, writeRecovered } from '../../wire/cold'
import { openLog } from '../../wire/logs'
import { chooseChunk } from '../choose-chunk'
import { coldPlaces, placeOfChunk, policiesInForce, rootsOf, withColdPlaces } from '../cold-places'
import { timeJson } from '../figure-json'
import { findSession } from '../find-session'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently } from '../open-writer'
import { note, write, writeJson } from '../output'
import type { ReadOptions } from '../read-options'
import { setupOrFail } from '../setup-or-fail'
import { openSources } from '../sources'
import { toTerminal } from '../terminal-text'

export type RecoverOptions = ReadOptions & {
  readonly chunkId: string
  /** `stdout`, `transcript` or a file. */
  readonly to: string
  readonly at: 'neighbourhood' | 'end'
  readonly session?: string
  readonly policy?: string
}

/** Named by hand. */
const BY_HAND: RecoveryCause = { trigger: 'manual', query: null, score: null }

type Recovery = {
  readonly setup: Setup
  readonly policy: Policy
  readonly chunk: ColdChunk
}

/** Brings a chunk back from cold storage: to standard output, into a file, or into its transcript. */
export async function recover(io: Io, options: RecoverOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const places = coldPlaces(io, await policiesInForce(io, options))
  const { chunkId: id, session } = options
  const named = await withColdPlaces(setup, places, (finder) => finder.named(id))
  const chunk = chooseChunk(named, { id, session, root: rootsOf(places) })
  const { policy, now } = placeOfChunk(places, chunk)
  if (isExpired(chunk, now()))
    throw new CliError(
      EXIT.refused,
      `The chunk ${chunk.chunkId} could be brought back until ${timeJson(chunk.until)}. As long as it is not purged, "plimsoll cold-storage extend ${chunk.chunkId} --days N" keeps it on.`,
      { reason: 'expired' },
    )
  const recovery = { setup, policy, chunk }
  if (options.to === 'transcript') return toTranscript(io, options, recovery)
  return options.to === 'stdout' ? toStdout(io, options, recovery) : toFile(io, options, recovery)
}

async function toStdout(io: Io, { json }: RecoverOptions, recovery: Recovery): Promise<ExitCode> {
  const { content } = recovery.chunk
  if (json) await writeJson(io, { ...recoveryJson(recovery.chunk), to: 'stdout', content })
  else {
    // At a terminal, control characters would act; anywhere else every byte counts.
    const isTerminal = 'isTTY' in io.stdout && io.stdout.isTTY === true
    await write(io.stdout, isTerminal ? `${content.split('\n').map(toTerminal).join('\n')}\n` : content)
  }
  await noteRecovery(io, recovery, 'stdout')
  return EXIT.done
}

async function toFile(io: Io, { json, to }: RecoverOptions, recovery: Recovery): Promise<ExitCode> {
  const path = resolve(io.cwd, to)
  const refusal = await writeRecovered(path, recovery.chunk)
  if (refusal !== null) throw new CliError(EXIT.refused, refusal.message, { reason: refusal.code })
  if (json) await writeJson(io, { ...recoveryJson(recovery.chunk), to: path })
  else await write(io.stdout, `${toTerminal(recovery.chunk.chunkId)} is in ${toTerminal(path)}.\n`)
  await noteRecovery(io, recovery, 'file')
  return EXIT.done
}

async function noteRecovery(
  io: Io,
  { setup, policy, chunk }: Recovery,
  destination: 'file' | 'stdout',
): Promise<void> {
  const problem = await logRecovery(openLog(setup)(policy.logs), chunk, BY_HAND, destination)
  if (problem !== null) await note(io, problem)
}

async function toTranscript(io: Io, options: RecoverOptions, recovery: Recovery): Promise<ExitCode> {
  const { setup, policy, chunk } = recovery
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, options.session ?? chunk.sessionId)
  const writer = await openWriterOrFail(io, setup)
  const result = await recoverChunk(recoverPorts(setup, writer, policy), {
    chunk,
    store,
    transcript,
    wanted: options.at,
    cause: BY_HAND,
    actor: 'cli',
    wait: patiently(io),
  })
  if (result.kind === 'refused')
    throw new CliError(EXIT.refused, result.refusal.message, { reason: result.refusal.code })
  const base = { ...recoveryJson(chunk), to: 'transcript', transcript: transcript.path }
  if (result.kind === 'unchanged') {
    if (options.json) await writeJson(io, { ...base, receipt: null })
    else await write(io.stdout, `${toTerminal(chunk.chunkId)} is back in the context already.\n`)
    return EXIT.done
  }
  const { place, receipt, entryId } = result
  const why = place.kind === 'end' ? place.why : null
  if (options.json)
    await writeJson(io, {
      ...base,
      entry: entryId,
      place: place.kind,
      why,
      receipt: receipt.id,
      verified: receipt.verified,
    })
  else {
    const where = place.kind === 'end' ? 'at the end of the context' : 'where it had stood'
    await write(
      io.stdout,
      `${toTerminal(chunk.chunkId)} is back ${where}${why === null ? '' : ` (${why})`}, as entry ${entryId}.\n"plimsoll undo ${receipt.id}" takes this back.\n`,
    )
  }
  for (const text of result.notes) await note(io, text)
  return EXIT.done
}

function recoveryJson({ chunkId, sessionId, at, until, tokens, reason, score }: ColdChunk) {
  return {
    id: chunkId,
    session: sessionId,
    at: timeJson(at),
    until: timeJson(until),
    tokens,
    reason,
    score,
  }
}
